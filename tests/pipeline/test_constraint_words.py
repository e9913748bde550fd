# ruff: noqa: E501  # one list of words stands as it is looked for
"""Constraints in languages other than English, on sentences whose truth is known: those that set one, and those that only tell."""

import time

import pytest

from app.pipeline.constraints import constraints

SET = {
    "german": (
        "Bitte ändere die öffentliche API nicht.", "Du darfst keine neuen Abhängigkeiten hinzufügen.", "Die Tests müssen danach grün sein.",
        "Lösche auf keinen Fall die Datenbank.", "Niemals Kundennamen in das Log schreiben.", "Bitte immer auf Deutsch antworten.",
        "Stelle sicher, dass die Rechnung stimmt.", "Nur die Datei a.py bearbeiten, sonst nichts.", "Behebe den Fehler, ohne die API zu ändern.",
        "Das Passwort darf nie im Klartext gespeichert werden.", "Die Ausgabe darf nicht länger als eine Zeile sein.",
        "Du sollst keine Mails verschicken.", "Verwende für die Tests nur die Standardbibliothek.", "Änderungen an main.py sind verboten.",
    ),
    "french": (
        "Ne modifie pas le fichier de configuration.", "N'utilise jamais la base de production.", "Tu dois répondre en français.",
        "Il faut que les tests passent avant le commit.", "Corrige le bug sans changer l'API publique.", "Les mots de passe ne doivent jamais être écrits dans les logs.",
        "Assure-toi que la facture est envoyée.", "Il est interdit de supprimer des données.", "Réponds uniquement en JSON, avec les clés du schéma.",
        "En aucun cas il ne faut toucher à la table users.", "Merci de ne pas modifier les tests.", "Évitez de renommer les fonctions du module.",
    ),
    "spanish": (
        "No modifiques la configuración de la base de datos.", "Nunca uses la cuenta de producción.", "Debes responder en español.",
        "Hay que ejecutar las pruebas antes del commit.", "Corrige el error sin cambiar la API pública.", "Siempre escribe los mensajes en español.",
        "Usa únicamente la biblioteca estándar de Python.", "Está prohibido borrar datos de los clientes.", "Asegúrate de que la factura está pagada.",
        "No toques el archivo de la configuración.", "Bajo ningún concepto envíes el correo a los clientes.", "Por favor, no borres los archivos del cliente.",
    ),
    "chinese": (
        "不要修改数据库的配置。", "必须先运行测试再提交代码。", "禁止删除用户数据。", "请勿把密码写进日志。", "只能修改 src/a.py 这个文件。",
        "不能改动公开的接口。", "千万别删生产库。", "务必保留原来的注释。", "请始终用中文回答。", "请确保测试全部通过。", "回答不要超过 100 字。", "严禁调用外部接口。",
    ),
    "japanese": (
        "データベースの設定を変更しないでください。", "必ず日本語で回答してください。", "テストを削除してはいけません。", "本番環境には触らないこと。",
        "src/a.py だけを修正してください。", "公開APIを変えずに直してください。", "パスワードをログに書いてはならない。", "コミットの前にテストを実行しなければなりません。",
        "外部APIの呼び出しは禁止です。", "決して顧客名を出力しないでください。", "100文字以内で答えてください。", "メールを送らないようにしてください。",
    ),
}  # fmt: skip
TELL = {
    "german": (
        "Das hat noch nie funktioniert.", "Der Test läuft auf meinem Rechner nicht.", "Ich muss morgen wieder weg, danke.", "Das muss ein Fehler im Cache sein.",
        "Die Datei wird immer noch nicht gefunden.", "Es gibt nur einen Test, der fehlschlägt.", "Das lässt sich nicht ändern, oder es ist kaputt.",
        "Ich habe so etwas nie gesehen.", "Warum darf das nicht geändert werden?", "Kannst du die Tests laufen lassen und mir die Ausgabe zeigen",
        "Der Server ist immer langsam, wenn die Tests laufen.",
    ),
    "french": (
        "Ça ne marche pas sur ma machine.", "Le test échoue toujours avec cette erreur.", "Ça doit être un problème de cache.", "Je dois partir, merci pour tout.",
        "Il n'y a plus de place sur le disque.", "Le fichier ne se charge pas dans le navigateur.", "Je ne comprends pas cette erreur.",
        "Pourquoi est-ce que tu dois faire ça ?", "Peux-tu lancer les tests et me montrer la sortie", "Seulement trois tests échouent dans le module.",
    ),
    "spanish": (
        "No funciona en mi máquina con esta versión.", "El test nunca ha pasado en el servidor.", "Debe ser un problema de la caché.", "No sé por qué falla el test.",
        "Siempre falla con el mismo error.", "No hay más espacio en el disco.", "Solo hay un test que falla.", "No es lo que quiero, la tabla está vacía.",
        "¿Por qué no usas la otra función?", "Puedes ejecutar las pruebas y mostrarme la salida", "No tienes que cambiar la tabla.",
    ),
    "chinese": (
        "程序不能运行，总是报错。", "这个测试一直失败。", "我觉得特别改得好。", "要不要修改这个文件？", "没关系，不要紧。", "只有一个测试失败了。",
        "可能是缓存的问题。", "请帮我看一下这个文件。", "这两个文件的区别很大。", "我必须走了，谢谢。",
    ),
    "japanese": (
        "このテストは必ず失敗します。", "ファイルが見つからないことがあります。", "絶対におかしいと思う。", "動かないかもしれません。", "テストを実行して結果を見せてください。",
        "エラーが一つだけ出ています。", "サーバーが起動しません。", "どうすればいいですか。", "これは便利な関数ですね。",
    ),
    "english": (
        "No uses of the function are left in the tree.", "The immer library is muss older than nie.", "Comic Sans is on the page, sans doubt.", "de facto the tests pass on main",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("tongue", "sentence"), [(tongue, one) for tongue, all_ in SET.items() for one in all_])
def test_what_sets_a_constraint(tongue: str, sentence: str) -> None:
    [(words, mark)] = constraints(sentence)
    assert words == sentence
    assert mark in sentence.lower()


@pytest.mark.parametrize(("tongue", "sentence"), [(tongue, one) for tongue, all_ in TELL.items() for one in all_])
def test_what_only_tells_sets_none(tongue: str, sentence: str) -> None:
    assert constraints(sentence) == []


def test_sentences_without_blanks_are_parted() -> None:
    found = constraints("先看一下日志。不要修改数据库！最后必须运行测试。")
    assert [mark for _, mark in found] == ["不要", "必须"]
    assert [words for words, _ in found] == ["不要修改数据库！", "最后必须运行测试。"]


@pytest.mark.parametrize("piece", ["bitte ändere ", "ne modifie ", "no uses la ", "不要", "必ず", "du darf ", "muss sein und "])
def test_no_text_makes_it_slow(piece: str) -> None:
    begun = time.process_time()
    constraints((piece * 600)[:1_190] + "\n" + piece * 4_000)
    assert time.process_time() - begun < 1.0
