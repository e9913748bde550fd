# ruff: noqa: E501  # one list of words stands as it is looked for
"""Words by which a person sets a constraint in German, French, Spanish, Chinese and Japanese (constraints.py has English's).

Plain lists, no model. A sentence of a European language is looked at where it has at least one of that language's small words and no more
of English's; one of Chinese or Japanese by its letters. What only describes the world (`hat nie funktioniert`, `ça ne marche pas`, `no
funciona`, 总是失败, 必ず失敗する) sets none, which is why the lists ask for an order: an imperative, an infinitive, a verb of changing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_START: Final = r"(?:^|[,;:(–—]\s{0,3}|\s-\s)"


@dataclass(frozen=True)
class Tongue:
    """`small`: words that tell the language, none where its letters do. `sets`: what makes a constraint; `says`: what tells of the world."""

    small: re.Pattern[str] | None
    sets: re.Pattern[str]
    says: re.Pattern[str]


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


def _small(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'’])(?:{'|'.join(words.split())})(?![\w])", re.IGNORECASE)


ENGLISH: Final = _small("the and is of to this that these with are it you be for not on has have")

_DE_DO: Final = r"(?:änder|lösch|anfass|berühr|verwend|benutz|nutz|entfern|überschreib|schreib|bearbeit|umbenenn|verschieb|schick|send|teil|erwähn|commit|push|install|deploy|ausführ|nenn|zeig|frag)"
_GERMAN: Final = Tongue(
    _small("der die das und nicht ist sind sein an nichts sonst ein eine einen bitte den dem zu zum zur auf mit von für im du sie wir ich kein keine es aber dass bei oder nie dies diese dieser nur auch immer"),
    _any(
        r"\b(?:du|sie|ihr|man|es|wir|[a-zäöüß]{2,})\s+(?P<darf>d(?:arf(?:st)?|ürfen|ürft))\s+(?:\w+\s+){0,6}?(?:nicht|nie(?:mals)?|kein\w*|nur)\b",
        r"\b(?P<muss>muss(?:t)?|müss(?:en|t))\b",
        r"\b(?P<soll>soll(?:st|t|en)?)\s+(?:\w+\s+){0,4}?(?:nicht|nie(?:mals)?|immer|nur|kein\w*)\b",
        rf"(?:{_START}|\b(?:und|aber|bitte|also)\s+)(?P<nie>nie(?:mals)?)\b",
        rf"\b(?P<nie2>nie(?:mals)?)\s+(?:\w+\s+){{0,4}}?\w*{_DE_DO}\w*",
        r"\b(?P<fall>auf\s+keinen\s+fall|unter\s+keinen\s+umständen|keinesfalls|keinesfall)\b",
        rf"\b(?P<nicht>nicht)\s+(?:mehr\s+)?(?:\w+\s+)?{_DE_DO}(?:e|en|n|st|t)?\b",
        rf"(?:{_START}|\b(?:und|aber|bitte)\s+){_DE_DO}(?:e|en\s+sie|n\s+sie|t)?\s+(?:\w+\s+){{0,6}}?(?P<nicht2>nicht|kein\w*|nur)\b",
        rf"(?:{_START}|\b(?:bitte|und)\s+)(?P<immer>immer)\s+(?:\w+\s+){{0,6}}?\w+(?:en|ern|eln)\b",
        rf"(?:{_START}|\b(?:bitte|und)\s+)(?P<nur>nur)\s+(?:\S+\s+){{0,6}}?(?:\w*{_DE_DO}\w*|antworten|lesen)\b",
        r"\b(?P<sicher>stell(?:e|en\s+sie)?\s+sicher|achte(?:n\s+sie)?\s+darauf|vermeide(?:n\s+sie)?)\b",
        rf"\b(?P<ohne>ohne)\s+(?:\w+\s+){{0,4}}?zu\s+(?:{_DE_DO}|frag|brech|verlier)\w*|\bohne\s+(?:\w+\s+){{0,3}}?\w*zu(?:{_DE_DO})\w*",
        r"(?P<verboten>(?:ist|sind)\s+(?:\w+\s+)?(?:verboten|untersagt|tabu|nicht\s+erlaubt)|\bhöchstens\s+\d|\bmaximal\s+\d|\bnicht\s+mehr\s+als\b)",
    ),
    _any(
        r"\b(?:ich|das|da|hier|irgend\w+)\s+muss\b", r"\bmuss\s+(?:\w+\s+){0,4}?(?:sein|gewesen|haben|liegen|worden)\b",
        r"\b(?:hat|habe|haben|hatte\w*|war\w*|wurde\w*|ist|sind|wird|werden|kann|können|konnte\w*|funktionier\w*|läuft|geht|klappt)\b[^,;]{0,60}\bnie(?:mals)?\b",
        r"\bnie(?:mals)?\s+(?:\w+\s+){0,3}?(?:funktioniert|gesehen|gewesen|passiert|gehört|gelaufen)\b",
        r"\bich\s+(?:darf|soll)\b", r"\b(?:lässt|lassen|ließ)\s+sich\s+nicht\b", r"\b(?:kann|könnte|konnte|würde|wird|wurde|hat|habe)\s+(?:\w+\s+){0,5}?nicht\s+\w+",
        r"\b(?:du|sie|wir|ihr|man)\s+(?:muss|musst|müssen)\s+(?:\w+\s+)?nicht\b",
    ),
)  # fmt: skip

_FR_DO: Final = r"(?:modifi|chang|touch|supprim|utilis|effac|ajout|envoy|renomm|cass|install|pouss|commit|édit|écri|mentionn|partag|déplac|demand|lanc|exécut|répond|réécri|met|fai|oubli|parl)"
_FRENCH: Final = Tongue(
    _small("le la les des du une et est pas ne que dans pour vous tu il elle sur avec ce cette ces sans au aux en un jamais uniquement toujours seulement n'"),
    _any(
        r"\b(?:tu|vous|on|il|elle|[a-zéèà]{2,})\s+(?P<doit>dois|devez|doit|doivent)\b",
        r"\b(?P<faut>il\s+(?:ne\s+)?faut(?:\s+(?:pas|jamais))?)\b",
        r"(?P<merci>(?:merci|prière)\s+de\s+ne\s+(?:pas|jamais)|veuillez\s+ne\s+(?:pas|jamais))\s+\w+",
        rf"(?<!pour )(?<!de )(?<!à )(?<!afin )\bne\s+(?P<ne_pas>pas|jamais|plus|rien)\s+{_FR_DO}\w*",
        rf"(?:{_START}|\b(?:et|mais|donc|alors|aussi|surtout)\s+)(?:surtout\s+)?(?:ne\s+|n['’]){_FR_DO}\w*\s+(?:surtout\s+)?(?P<ne_jamais>pas|jamais|plus|rien)\b",
        r"(?P<interdit>(?:est|sont)\s+(?:strictement\s+)?interdite?s?\b|\binterdiction\s+de|\b(?:en\s+aucun\s+cas|sous\s+aucun\s+prétexte)\b)",
        rf"(?:{_START}|\bet\s+)(?P<jamais>jamais|toujours)\s+(?:\w+\s+){{0,3}}?{_FR_DO}\w*",
        rf"\b{_FR_DO}(?:e|es|ez|er|s|t|ds|dre|re)\s+(?P<toujours>toujours|uniquement|seulement)\b",
        r"\b(?P<assure>assure-toi|assurez-vous|veille\s+à|veillez\s+à|évite(?:z)?\s+(?:de|d['’]|les?|la|tout))",
        rf"\b(?P<sans>sans)\s+(?:\w+\s+)?{_FR_DO}\w*(?:er|ir|re)\b",
        r"\b(?P<plus>pas\s+plus\s+de|au\s+plus|au\s+maximum)\s+\d",
    ),
    _any(
        r"\b(?:doit|doivent)\s+(?:être|avoir)\s+(?:un|une|le|la|les|l['’]|ça|parce|à\s+cause|été|eu|dû)", r"\bje\s+(?:dois|ne)\b", r"\bça\s+(?:doit|ne)\b",
        r"\bil\s+faut\s+(?:\d|environ|compter|croire)",
    ),
)  # fmt: skip

_ES_DO: Final = r"(?:modific|modifiqu|cambi|toc|toqu|borr|elimin|us|utilic|utiliz|añad|agreg|envi|enví|renombr|romp|instal|sub|escrib|edit|mencion|compart|muev|muevas|mov|pregunt|ejecut|hag|pong|respond|llam|commit)"
_SPANISH: Final = Tongue(
    _small("el los las de que una por para con del es está esta este estos en y un la lo al su tu pero nunca siempre solo sólo jamás sin"),
    _any(
        r"\b(?P<debe>debes?|deben|debéis)\s+(?:\w+\s+){0,2}?\w+(?:r|rse|rlo|rla|rlos|rlas)\b",
        r"\b(?P<tiene>(?:tienes?|tienen|tenéis|hay)\s+que)\s+\w+r(?:se|l[oa]s?)?\b",
        rf"(?:{_START}|\b(?:y|pero|también|favor|además),?\s+)(?P<no>no)\s+(?:(?:me|nos|lo|la|los|las|le|les|se|te)\s+)?{_ES_DO}(?:es|as|en|an|e|éis|áis|ues|uen)\b",
        rf"(?:{_START}|\b(?:y|pero|favor),?\s+)(?P<nunca>nunca|jamás)\s+(?:(?:me|lo|la|los|las|le|se)\s+)?{_ES_DO}\w*",
        rf"(?:{_START}|\b(?:y|pero|favor),?\s+)(?P<siempre>siempre)\s+{_ES_DO}\w*",
        rf"(?:{_START}|\b(?:y|pero|favor),?\s+)(?P<solo>s[oó]lo|solamente|únicamente)\s+{_ES_DO}\w*",
        rf"\b{_ES_DO}(?:a|e|en|an|ar|ir|er)\s+(?:\w+\s+){{0,3}}?(?P<solo2>únicamente|solamente)\b",
        r"(?P<prohibido>(?:está|están|queda)\s+(?:terminantemente\s+)?prohibid[oa]s?|\bbajo\s+ning[uú]n\s+concepto|\ben\s+ning[uú]n\s+caso)",
        r"\b(?P<asegura>aseg[uú]rate|aseg[uú]rese|asegúrense|evita(?:r|d)?\s+\w+r\b)",
        rf"\b(?P<sin>sin)\s+{_ES_DO}\w*(?:ar|er|ir)\b",
        r"\b(?P<mas>no\s+más\s+de|como\s+máximo|a\s+lo\s+sumo)\s+\d",
    ),
    _any(r"\bdeben?\s+(?:de\s+)?(?:ser|haber|estar)\s+(?:un|una|el|la|algo|porque|roto|mal|sido)\b", r"\bno\s+tienes?\s+que\b"),
)  # fmt: skip

_ZH_DO: Final = "(?:修改|更改|改动|改变|改|删除|删|移除|动|碰|使用|用|提交|覆盖|添加|加|发送|发|提到|执行|运行|安装|重命名|包含|超过|写|创建|推送|泄露|调用|引入|破坏|重构|翻译|问|输出|返回|回答|联系|取消|预订|告诉)"
_CHINESE: Final = Tongue(
    None,
    _any(
        r"(?P<buyao>(?<!要)(?<!需)(?:请)?(?:千万|绝对)?不要(?!紧|求)|不得|严禁|禁止|切勿|请勿|不许|不准|不允许)(?:再)?",
        rf"(?P<buneng>(?:绝对|绝)?不(?:能|可以|可|应该|应)(?:再|随便|擅自|直接|私自)?){_ZH_DO}",
        rf"(?P<bie>(?<![特个区分级类性差辨识告离])别(?:再|去)?){_ZH_DO}",
        r"(?P<bixu>务必|必须|必需|一定要|一定不)",
        rf"(?P<zhi>只(?:能|许|准|可以|允许)|请?只{_ZH_DO}|仅(?:限|允许|能|可))",
        r"(?P<quebao>(?:请|要|并|先)?确保|(?:请|要|应|尽量)避免|最多\s{0,2}[\d一二两三四五六七八九十]|不(?:要|得|能)?超过\s{0,2}\d)",
        rf"(?P<shizhong>(?:请|要)?(?:始终|总是|一直){_ZH_DO})",
    ),
    _any(r"(?:我|他|她|它)(?:不能|必须)", r"(?:不可能|不能用|不能运行|不用)", r"是不是必须|要不要|用不用"),
)  # fmt: skip

_JAPANESE: Final = Tongue(
    None,
    _any(
        r"(?P<naide>ないで(?:ください|下さい|ほしい|欲しい|ね|くれ|いただ)|ないこと|ないよう(?:に(?:して|し|お願い|注意)|お願い)|(?:る|す|く|う|ぬ|む|ぶ|つ)な(?=[。!！]|$))",
        r"(?P<ikenai>(?:ては|では|ちゃ|じゃ)(?:いけ(?:ない|ません)|なら(?:ない|ず)|なりません|だめ|ダメ)|べきでは(?:ない|ありません))",
        r"(?P<nakereba>なければ(?:ならない|なりません|いけない|いけません)|必要があります|必須(?:です|だ|$))",
        r"(?P<kinshi>(?:は|を)?(?:禁止|厳禁)(?:です|だ|し|する|と|。|$))",
        r"(?P<kanarazu>必ず|決して|絶対に|常に)(?=[^。]{0,60}(?:ください|下さい|こと(?:[。!！]|$)|お願い|なさい|せよ|しろ|ません|ないで|て(?:[。!！]|$)|てね|するな))",
        r"(?P<dake>だけ|のみ|しか)(?=[^。]{0,40}(?:ください|下さい|こと(?:[。!！]|$)|お願い|て(?:[。!！]|$)))",
        r"(?P<zuni>(?:せ|変え|触ら|消さ|壊さ|聞か|使わ|変更せ|削除せ)ずに)(?=[^。]{0,60}(?:ください|下さい|こと|お願い|て(?:[。!！]|$)))",
        r"(?P<made>\d+\s{0,2}(?:文字|行|件|個|つ|回|文)(?:以内|まで))",
    ),
    _any(r"かもしれ(?:ない|ません)", r"(?:見つから|動か|わから|分から|でき|起動し)ないこと(?:が|は|も)", r"必要がありますか"),
)  # fmt: skip

_KANA: Final = re.compile(r"[ぁ-ゖァ-ヺ]")
_HAN: Final = re.compile(r"[一-鿿]")
_EUROPEAN: Final = (_GERMAN, _FRENCH, _SPANISH)


def is_eastern(sentence: str) -> bool:
    """Whether it is written without blanks between words."""
    return not sentence.isascii() and bool(_HAN.search(sentence) or _KANA.search(sentence))


def mark(sentence: str) -> str:
    """The word that makes a sentence a constraint in a language other than English; "" where none does."""
    if is_eastern(sentence):
        return _mark(_JAPANESE if _KANA.search(sentence) else _CHINESE, sentence)
    english = len(ENGLISH.findall(sentence))
    told = [len(one.small.findall(sentence)) if one.small is not None else 0 for one in _EUROPEAN]
    most = max(told)
    if most <= english:
        return ""
    marks = (_mark(one, sentence) for one, count in zip(_EUROPEAN, told, strict=True) if count == most)
    return next((found for found in marks if found), "")


def _mark(tongue: Tongue, sentence: str) -> str:
    told = [span.span() for span in tongue.says.finditer(sentence)]
    for match in tongue.sets.finditer(sentence):
        if not any(match.start() < end and start < match.end() for start, end in told):
            return " ".join(next(value for value in match.groupdict().values() if value).lower().split())
    return ""
