"""Makes the bundled incident: a request body that was refused with 400, every run the same bytes.

An invoice agent answered questions all afternoon. A pass that drops the oldest message until the request fits cut between two
parallel calls and their results, so that the list now begins with results whose calls are gone. Everything in it is invented.
"""

from __future__ import annotations

import base64
import json
import random
import sys
from pathlib import Path
from typing import Any

CUSTOMERS = [("cus_8812f", "Acme Ltd"), ("cus_2071c", "Borealis GmbH"), ("cus_5530a", "Ciel et Fils"), ("cus_9914e", "Dunmore & Co"),
             ("cus_3346b", "Elster AG"), ("cus_7702d", "Fjord Trading")]  # fmt: skip
LINES = ["hosting, large", "support, business hours", "storage per 100 GB", "seats, yearly", "setup fee", "training day", "traffic overage"]


class Agent:
    """Writes the conversation message by message."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.messages: list[dict[str, Any]] = []
        self.calls = 0

    def id(self) -> str:
        self.calls += 1
        return "toolu_01" + "".join(self.random.choices("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789", k=22))

    def invoice(self, number: int) -> dict[str, Any]:
        r = self.random
        who = CUSTOMERS[number % len(CUSTOMERS)]
        lines = [{"text": t, "quantity": r.randint(1, 12), "unit_cents": r.randint(900, 48000)} for t in r.sample(LINES, r.randint(2, 5))]
        return {"id": f"in_{number}", "customer": who[0], "name": who[1], "currency": "eur", "due": f"2026-0{r.randint(2, 4)}-{r.randint(10, 28)}",
                "status": r.choice(["open", "open", "paid", "overdue"]), "lines": lines,
                "amount_cents": sum(x["quantity"] * x["unit_cents"] for x in lines)}  # fmt: skip

    def user(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text})

    def step(self, calls: list[tuple[str, dict[str, Any], str]], text: str = "", thought: str = "", order: list[int] | None = None) -> list[str]:
        """One request: the assistant's message with its calls, and the user message with their results."""
        content: list[dict[str, Any]] = []
        if thought:
            signature = base64.b64encode(self.random.randbytes(96)).decode()
            content.append({"type": "thinking", "thinking": thought, "signature": signature})
        if text:
            content.append({"type": "text", "text": text})
        ids = [self.id() for _ in calls]
        content += [{"type": "tool_use", "id": i, "name": name, "input": args} for i, (name, args, _) in zip(ids, calls, strict=True)]
        self.messages.append({"role": "assistant", "content": content})
        results = [{"type": "tool_result", "tool_use_id": i, "content": result} for i, (_, _, result) in zip(ids, calls, strict=True)]
        if results:
            self.messages.append({"role": "user", "content": [results[k] for k in order or range(len(results))]})
        return ids

    def say(self, text: str) -> None:
        self.messages.append({"role": "assistant", "content": [{"type": "text", "text": text}]})

    def get(self, number: int) -> tuple[str, dict[str, Any], str]:
        return "get_invoice", {"id": f"in_{number}"}, json.dumps(self.invoice(number), indent=1)

    def search(self, query: str, count: int) -> tuple[str, dict[str, Any], str]:
        found = [self.invoice(self.random.randint(9800, 9990)) for _ in range(count)]
        return "search_invoices", {"query": query, "limit": count}, json.dumps(found, indent=1)

    def mail(self, customer: str, count: int) -> tuple[str, dict[str, Any], str]:
        days = [f"2026-03-{self.random.randint(1, 28):02d} {who}: {what}" for who, what in self.random.choices(MAIL, k=count)]
        return "read_mail", {"customer": customer, "limit": count}, "\n".join(days)


MAIL = [
    ("them", "we never agreed to the setup fee, please take it off and send the invoice again before the end of the month"),
    ("us", "the credit note is on its way, the corrected invoice carries the old due date so that nothing changes for your books"),
    ("them", "who is the right person for the yearly seats? the last price that we were told was 18 per seat, not 22"),
    ("us", "I have asked our sales team and will write by Thursday; until then the invoice is on hold and no reminder is sent"),
    ("them", "thank you. please note that payments above 10,000 need two signatures here and take five working days"),
    ("us", "understood, we moved the reminder by a week and noted the five days for the future"),
]
THOUGHTS = [
    "The open invoices are the ones that matter here. I should read each of them before I state a sum, since a credit note may be pending.",
    "The person asked for euros. Two of these were issued in euros, so no conversion is needed; I add up the cents and divide at the end.",
    "I must not write to the customer without being asked. I will prepare the draft and show it first.",
    "There is a promise in the mail of March that I should find before I answer.",
]


def conversation() -> Agent:
    a = Agent(412)
    # what is left of the exchange whose prompt and calls were cut away
    lost = [a.id(), a.id()]
    a.messages.append({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": lost[0], "content": a.search("status:overdue", 14)[2]},
        {"type": "tool_result", "tool_use_id": lost[1], "content": json.dumps({"id": "cus_8812f", "name": "Acme Ltd", "tier": "gold"})},
    ]})  # fmt: skip
    a.step([a.get(9921), a.get(9930), a.get(9877)], "Let me open the three that are past due.", order=[1, 0, 2])
    a.say("Two invoices are overdue: in_9921 and in_9930. in_9877 was paid twice; one payment waits to be returned.")
    a.user("and the total in euro?")
    a.step([("sum_invoices", {"ids": ["in_9921", "in_9930"], "currency": "eur"}, '{"total_cents": 212000}')], thought=THOUGHTS[1])
    a.say("Together 2,120.00 euro.")
    a.user("why was in_9877 charged twice?")
    a.step([("list_payments", {"invoice": "in_9877"}, json.dumps([{"id": f"pay_{k}", "method": "card", "amount_cents": 61300, "at": f"2026-03-0{k}T10:1{k}:00Z",
            "log": "request sent; gateway timed out after 30 s; request sent again; both were booked " * 6} for k in (2, 3)], indent=1))], thought=THOUGHTS[0])  # fmt: skip
    a.step([("read_gateway_log", {"payment": "pay_3", "lines": 200}, "\n".join(f"2026-03-03T10:13:{k % 60:02d}Z gateway-{k % 4} "
            f"retry={k % 3} status={'202 accepted' if k % 7 else '504 timeout'} request=req_{a.random.randrange(16**10):010x}" for k in range(190)))])  # fmt: skip
    a.say("The gateway timed out and the client sent the charge again. Both went through; pay_3 should be returned.")
    a.user("draft the mail to Acme about the refund, do not send it")
    a.step([a.mail("cus_8812f", 26)], "I look for what we promised them.", thought=THOUGHTS[2])
    a.step([("create_draft", {"to": "books@acme.example", "subject": "Refund of the second payment for in_9877"}, '{"draft": "dr_118"}')])
    a.say("The draft dr_118 is ready. It names the refund and the date, and nothing else.")
    a.user("what did we promise Borealis in March?")
    for k in range(4):
        a.step([a.mail("cus_2071c", 14 + 9 * k)], thought=THOUGHTS[3] if k == 0 else "")
    a.step([a.search("customer:cus_2071c", 5), a.get(9812), a.get(9840)])
    a.say("That the setup fee is credited and no reminder is sent before the corrected invoice.")
    for n, question in enumerate(QUESTIONS):
        a.user(question)
        for k in range(2 + (n * 5) % 4):
            wide = [a.get(a.random.randint(9800, 9990)) for _ in range(1 + (n + k) % 4)]
            a.step(wide, thought=THOUGHTS[(n + k) % 4] if k == 0 and n % 2 else "")
        if n % 3 == 1:
            a.step([a.search(f"quarter:{n}", 9 + n)])
        a.say(ANSWERS[n % len(ANSWERS)])
    a.user("is any other customer waiting for a credit note?")
    a.step([a.search("credit:pending", 18)], "I search the notes that are not yet sent.")
    a.step([a.get(9955), a.get(9961)])
    a.step([a.mail("cus_7702d", 31), ("get_customer", {"id": "cus_7702d"}, '{"id": "cus_7702d", "name": "Fjord Trading", "tier": "silver"}')])
    a.step([("list_credit_notes", {"status": "pending"}, json.dumps([{"id": f"cn_{k}", "invoice": f"in_{9950 + k}", "amount_cents": 4000 + k} for k in range(12)]))])
    return a


QUESTIONS = [
    "which invoices of Ciel et Fils are still open?", "did Dunmore pay the training day?", "list everything above 5,000 euro since January",
    "move the due date of in_9903 by two weeks", "are the storage lines of Elster right? they say 100 GB, we bill 300",
    "compare the seats that Fjord pays with what they use", "prepare the statement for Acme", "which reminders go out tomorrow?",
    "stop the one to Dunmore, they called", "what is the oldest open amount?",
]  # fmt: skip
ANSWERS = [
    "Three are open; the oldest is 41 days past due. I have listed them with their amounts.", "Yes, on the 14th, together with the support line.",
    "Done. The change is in the log of the invoice and nobody was written to.", "The numbers agree but for one line, which was billed twice in February.",
]  # fmt: skip

TOOLS = {
    "search_invoices": "Finds invoices by a query such as status:overdue or customer:cus_1. Returns at most `limit` of them, newest first.",
    "get_invoice": "One invoice with its lines.", "get_customer": "Name and tier of a customer.", "sum_invoices": "Adds up invoices in one currency.",
    "list_payments": "Payments of an invoice.", "read_gateway_log": "Lines of the payment gateway's log.", "read_mail": "Mail with a customer, newest last.",
    "create_draft": "Writes a draft. Does not send it.", "list_credit_notes": "Credit notes by status.",
}  # fmt: skip


def request() -> dict[str, Any]:
    schema = {"type": "object", "properties": {"id": {"type": "string"}, "query": {"type": "string"}, "limit": {"type": "integer"}}}
    return {
        "model": "claude-sonnet-4-5", "max_tokens": 4096,
        "system": "You help the accounts team of a small hosting company. Read before you state a figure. Never write to a customer without being asked. "
                  "Amounts are in cents until you speak of them. Name the invoices that an answer rests on.",
        "tools": [{"name": n, "description": d, "input_schema": schema} for n, d in TOOLS.items()],
        "messages": conversation().messages,
    }  # fmt: skip


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(request(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
