"""The cases of tests/losing.py. Some of what is lost in them is said in words that the product does not know: so recall is not one."""

from __future__ import annotations

from tests.losing import Case

# fmt: off
LONG = "line of code that says little; " * 30

CASES = (
    Case("account number", r"""
u: my account number is ACC-20417 and I moved to Graz. Never send me letters.
a: Thanks, I noted that.
u: what is the weather?
a: I cannot tell.
u: what do I owe?
c: get_balance {"account": "ACC-20417"}
r: 42.10 EUR
a: You owe 42.10 EUR.
""", ("identifier ACC-20417", "constraint Never send me letters."), goes=(1, 2)),

    Case("found by a search", r"""
u: which invoices of Acme are overdue?
c: search_invoices {"status": "overdue", "customer": "Acme"}
r: [{"id": "in_9921", "amount": 1240.5}, {"id": "in_9930", "amount": 881.2}, {"id": "in_9944", "amount": 17.3}]
a: There are three.
u: email it to finance, do not cc sales
a: Sent.
u: remind them of the two large ones
c: remind {"invoice": "in_9921"}
r: ok
c: remind {"invoice": "in_9930"}
r: ok
a: Both reminders are out: 1,240.50 and 881.20.
""", ("identifier in_9921", "identifier in_9930", "number 1240.5", "number 881.2", "constraint email it to finance, do not cc sales"),
         goes=(1, 2)),

    Case("restated by a later search", r"""
u: which invoices are overdue?
c: search_invoices {"status": "overdue"}
r: in_9921 in_9930
a: Two.
u: once more please
c: search_invoices {"status": "overdue"}
r: in_9921 in_9930
a: in_9921 and in_9930.
""", (), goes=(1,)),

    Case("opened anew", r"""
u: list the invoices
c: list {}
r: in_5511 in_5512
a: Two.
u: show me the first
c: get_invoice {"id": "in_5511"}
r: {"id": "in_5511", "total": 99.5, "customer": "Globex"}
a: It is of Globex, 99.50.
""", (), goes=(1,)),

    Case("a file that is edited later", r"""
u: why does the ledger post twice?
c: read_file {"path": "src/billing/ledger.py"}
r: def post(): ...\nretry = 3
a: It posts again after a timeout.
u: fix it, but don't touch the tests
c: edit_file {"path": "src/billing/ledger.py", "old": "retry = 3", "new": "retry = 0"}
r: ok
a: Done.
u: thanks
a: Welcome.
""", ("path src/billing/ledger.py",), goes=(1,)),

    Case("a file that is read again", rf"""
u: look at the ledger
c: read_file {{"path": "src/billing/ledger.py"}}
r: {LONG}
a: It is long.
u: and now?
c: read_file {{"path": "src/billing/ledger.py"}}
r: {LONG}{LONG}
a: It has grown.
""", (), goes=(1,)),

    Case("results stubbed", rf"""
u: find out which host fails
c: hosts {{}}
r: {LONG} db-west-118.internal 10.44.7.218 {LONG}
a: I look at one of them.
u: restart it
c: restart {{"host": "db-west-118.internal"}}
r: restarted
a: It runs again.
""", ("identifier db-west-118.internal",), stubbed=(1,)),

    Case("a prompt asks for what a stubbed result told", rf"""
u: find the deployment details
c: details {{"of": "orders"}}
r: host db1.internal.example.com {LONG} file /src/mod_1/handler_1.py class OrderProcessor1
a: Found.
u: now edit /src/mod_1/handler_1.py and class OrderProcessor1 at db1.internal.example.com
""", ("path /src/mod_1/handler_1.py", "identifier OrderProcessor1", "identifier db1.internal.example.com"), stubbed=(1,)),

    Case("a prompt asks, and a result tells again", rf"""
u: find the deployment details
c: details {{"of": "orders"}}
r: host db1.internal.example.com {LONG}
a: Found.
u: look at db1.internal.example.com again
c: details {{"of": "host"}}
r: db1.internal.example.com is up
a: It is up.
""", (), stubbed=(1,)),

    Case("hosts and classes that a call uses", rf"""
u: find the deployment details
c: details {{"of": "orders"}}
r: host db1.internal.example.com or mail.acme.org {LONG} class OrderProcessor1
a: Found.
u: go on
c: sh {{"cmd": "psql -h db1.internal.example.com; ping mail.acme.org; grep OrderProcessor1"}}
r: ok
a: Done.
""", ("identifier db1.internal.example.com", "identifier mail.acme.org", "identifier OrderProcessor1"), stubbed=(1,)),

    Case("results capped", rf"""
u: find the orders
c: orders {{}}
r: #W2378156 first {LONG} #W9911482 last
a: Two orders.
u: cancel both
c: cancel {{"order": "W2378156"}}
r: ok
c: cancel {{"order": "W9911482"}}
r: ok
a: Both are cancelled.
""", ("identifier W9911482",), capped=(1,)),

    Case("a summary keeps it", r"""
u: I am customer cus_8812f. Always answer in German.
a: Gut.
u: my order is W5561203, size 44
a: Gut.
u: cancel it
c: cancel {"customer": "cus_8812f", "order": "W5561203"}
r: done
a: Storniert.
""", ("identifier W5561203",), goes=(1, 2), summary="The customer is cus_8812f and said: always answer in German."),

    Case("rules that are repeated, and questions that are none", r"""
u: Use only the standard library. You must keep Python 3.8 working.
a: I will.
u: Why must it always fail? I never saw that. I don't know where to look. It only breaks on Monday.
a: I look into it.
u: remember: use only the standard library
a: Yes.
""", ("constraint You must keep Python 3.8 working.",), goes=(1, 2)),

    Case("what the session is about is no fact", r"""
u: work in /srv/app/main
a: I do.
u: one
c: sh {"cmd": "cd /srv/app/main && ls"}
r: a
u: two
c: sh {"cmd": "cd /srv/app/main && pwd"}
r: b
u: three
c: sh {"cmd": "cd /srv/app/main && date"}
r: c
u: four
c: sh {"cmd": "cd /srv/app/main && id"}
r: d
u: five
c: sh {"cmd": "cd /srv/app/main && env"}
r: e
u: six
c: sh {"cmd": "cd /srv/app/main && df"}
r: f
a: Done.
""", (), goes=(2, 3)),

    Case("a name and a zip", r"""
u: Hi, my name is Yusuf Rossi, zip 19122.
a: Hello!
u: I want to return a lamp
c: find_user {"first_name": "Yusuf", "last_name": "Rossi", "zip": "19122"}
r: yusuf_rossi_9620
a: Found you.
""", ("name Yusuf", "name Rossi", "number 19122"), goes=(1,)),

    Case("noise", r"""
u: list the jobs
c: jobs {}
r: 2026 200 404 1000 4096 utf8 sha256 v1 10ms and/or e.g. n/a 3rd build took 12s
a: Many.
u: go on
c: run {"year": 2026, "limit": 1000, "size": 4096, "enc": "utf8", "hash": "sha256"}
r: ok
a: 200, took 12s and/or 10ms.
""", (), goes=(1,)),

    Case("used only in what goes", r"""
u: check T-412
c: ticket {"id": "T-412"}
r: {"id": "T-412", "owner": "ana@acme.example", "state": "open"}
a: T-412 is of ana@acme.example.
u: close all of those
a: Which ones?
u: never mind, good bye
a: Good bye.
""", (), goes=(1,)),

    Case("a call that is made again and again", r"""
u: is it up?
c: rate {"from": "EUR"}
r: one euro is 1.0842 dollars
a: Yes.
u: and now?
c: rate {"from": "EUR"}
r: one euro is 1.0842 dollars
a: Yes.
u: thanks
a: Welcome.
""", ('call rate {"from":"EUR"}',), goes=(1, 2)),

    Case("the model's own figure", r"""
u: what is the sum of the open ones?
a: They come to 48213 cents.
u: book it
c: book {"amount": 48213}
r: booked
a: It is booked.
""", ("number 48213",), goes=(1,)),

    Case("rules in other words", r"""
u: Keep every answer under fifty words. Without changing the API, please. Ensure that no key is logged. The budget is at most 300 dollars.
a: I will.
u: go on
a: I go on.
""", ("constraint Keep every answer under fifty words.", "constraint Without changing the API", "constraint Ensure that no key is logged.",
      "constraint The budget is at most 300 dollars."), goes=(1,)),

    Case("system text stays", r"""
s: You are the agent of store ST-7741. Never refund twice.
u: we are ST-7741. Never refund twice.
a: Yes.
u: refund it
c: refund {"store": "ST-7741"}
r: ok
a: Refunded.
""", (), goes=(1,)),

    Case("an address and a digest", r"""
u: deploy
c: build {}
r: pushed https://registry.acme.example/shop/web with digest d41d8cd98f00b204
a: Built.
u: roll it out
c: deploy {"image": "https://registry.acme.example/shop/web", "digest": "d41d8cd98f00b204"}
r: ok
a: It is out.
""", ("path registry.acme.example/shop/web", "identifier d41d8cd98f00b204"), goes=(1,)),

    Case("the last four digits", r"""
u: charge the card that ends in 7719, room b12
a: Noted.
u: go
c: charge {"last4": "7719", "room": "b12"}
r: ok
a: Charged.
""", ("number 7719", "identifier b12"), goes=(1,)),
)
# fmt: on
