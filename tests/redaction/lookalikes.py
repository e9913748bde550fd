"""Texts in which nothing has to go: code that speaks of secrets, placeholders, ids, digests, paths, numbers."""

from __future__ import annotations

from typing import Final

CODE: Final = r"""
password: str
password: string;
password: string | null
def login(username: str, password: str) -> bool:
function login(user: string, password: string): Promise<Token> {
const token = await getToken();
self.password = password
password=password,
user.setPassword(password);
if password != confirm_password:
if (token === null) return;
token_count: 4096
"max_tokens": 4096
"input_tokens": 12345
tokens: 12,345
primary_key=True
foreign_key: user_id
"keyword": "value"
keyboard: qwertz
monkey: banana
secret: bool = False
The secret of good tests is naming.
password: required
Password:
Enter password:
[sudo] password for the user:
the password is required
The password is incorrect.
the token is expired
token: invalid
"tokenizer": "o200k_base"
secretName: tls-cert
PASSWORD_MIN_LENGTH=8
PASSWORD_HASHERS = [
TOKEN_TYPE=bearer
ACCESS_TOKEN_EXPIRE_MINUTES=30
api_key = os.environ["API_KEY"]
apiKey: process.env.API_KEY,
SECRET=${SECRET}
TOKEN=$(cat token.txt)
password: {{ db_password }}
password: <password>
password: "********"
password = "xxxxxxxx"
API_KEY=YOUR_API_KEY
api_key: your-api-key-here
export OPENAI_API_KEY=sk-...
OPENAI_API_KEY="<your key>"
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${token}
headers: { Authorization: `Bearer ${token}` }
headers={"Authorization": f"Bearer {token}"}
'Authorization': 'token %s' % token
the Authorization header is missing
Basic usage
Basic authentication is used here
bearer of news
cookies: dict[str, str]
cookie: str
Cookie: <cookie>
<input type="password" name="password" id="password">
<label for="password">Password:</label>
t("password.reset.title")
password: yup.string().required()
password: z.string().min(8)
password: { type: String, required: true }
password: Mapped[str] = mapped_column()
password VARCHAR(255) NOT NULL
password = Column(String(255))
password = input("Password: ")
password = getpass.getpass()
token: &str
token: Option<String>
Secret []byte
password := r.FormValue("password")
$password = $_POST['password'];
password: user.password,
password: hashedPassword,
passwordHash: string
token = tokens[i]
token = line.split()[0]
if tok.type == TOKEN:
{% csrf_token %}
git config credential.helper store
--token-file /run/token
/etc/secrets/token.txt
src/auth/token.py:12: error: name is not defined
tests/test_password.py::test_reset PASSED
password-reset
"password": ""
"password": null
"token": null
token=None
type: password
name: password
placeholder="Password"
api_key: Optional[str] = None
key = keys.pop()
key: "name"
const SECRET_NAME = "x";
raise ValueError("password too short")
secretKeyRef: {name: db, key: password}
"required": ["username", "password"]
with open(token_path) as f: token = f.read()
grep -rn "password" src
sort key=lambda item: item.name
access_key_id: string
pass
pass: 12, fail: 3
PASS: tests/a.py
passed: true
session = Session()
session_key = request.session.session_key
author: bob
authorize: true
pin: false
status code: 404
exit code: 137
error code: E0308
zip code: 10115
the code is 12 lines long
verify that the code is correct
if "-----BEGIN ¦PRIVATE KEY-----" in text: return text.startswith("x")
"""

IDS: Final = r"""
commit 3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c
index 3f9a1c7..5b2d480 100644
sha256:3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c5d7e9f20416283a5c7e9db0f
md5 3f9a1c7e5b2d4806f1e3a5c7092b4d6e  a.txt
"integrity": "sha512-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3vaB3dE5fG7hJ9kL1mN3pQ5rS7=="
4f1c0000-0000-4000-8000-000000000001
toolu_01ABCdefGHIjklMNOpqrSTUv
call_aB3dE5fG7hJ9kL1mN3pQ5rS7
chatcmpl-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW
msg_01aB3dE5fG7hJ9kL1mN3pQ5r
req_011CQaB3dE5fG7hJ9kL1mN3p
resp_3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c5d7e9f20
rs_3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c5d7e9f20
fc_3f9a1c7e5b2d4806f1e3a5c7092b4d6e
fp_44709d6fcb
thread_aB3dE5fG7hJ9kL1mN3pQ5rS7
call_function_abcdefghijkl_1
claude-sonnet-4-5-20250929
gpt-4o-2024-08-06
session 01JABCDEFGHJKMNPQRSTVWXYZ0
{"tool_use_id": "toolu_01ABCdefGHIjklMNOpqrSTUv", "type": "tool_result"}
"parentUuid": "4f1c0000-0000-4000-8000-000000000001"
ETag: W/"3f9a1c7e"
trace-id: 3f9a1c7e5b2d4806f1e3a5c7092b4d6e
traceparent: 00-3f9a1c7e5b2d4806f1e3a5c7092b4d6e-3f9a1c7e5b2d4806-01
arn:aws:iam::aws:policy/AdministratorAccess
i-0abcd1234efgh5678
ssh-ed25519 is a kind of key
SHA256:aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f
task-3f9a1c7e5b2d4806f1e3a5c7
disk-usage-of-the-whole-system-by-folder
ask-me-anything-about-the-framework-please
sk-learn is a library
risk-assessment-for-the-whole-organisation
npm_config_registry
hf_transfer_enabled
_live_reload_enabled_by_default
github_pat is the prefix
"""

NUMBERS: Final = r"""
version 1.2.3
v10.2.3.4
Chrome/120.0.0.0 Safari/537.36
2025-01-02 03:04:05.123
2025-01-02T03:04:05.123456+00:00
1700000000000
"timestamp": 1736500000123
4111 1111 1111 1112
total 1234567890123456789
3.141592653589793
0.4532015112830366
ISBN 978-3-16-148410-0
@@ -12,7 +12,9 @@
+12 -5 lines
+1, -2
1 + 1 = 2
line 12:30:45
12:30:45
127.0.0.1
0.0.0.0
255.255.255.0
::1
std::string::npos
a::b
#ff8800
#a1b2c3d4
pages 100-200-3000
10.0.19045
3.11.2-1+deb12u1
100% of 1,234,567
size 12345678 bytes
0x7ffe5b2d4806
a@b
@app.route("/")
@types/node@18.0.0
foo@^1.0.0
pkg@1.2.3
1922-@ansi_dialect.segment
git@github.com:a/b.git
noreply@anthropic.com
user@host
Jan 02 03:04:05
800x600
1234-5678
GB12 TEXT HERE
(2024) 123-4567 of them
rows 212-555
f(555) == 1
"""

MORE: Final = r"""
password_field.send_keys(password)
const { password, token } = req.body;
password: Joi.string().min(6).required(),
if (!token) throw new Error("token missing");
@Column() password: string;
public string Password { get; set; }
val token = prefs.getString("token", null)
let token = match self.next() { Some(t) => t, None => break };
token.type === "comma"
Token::Identifier(name)
key: PropTypes.string.isRequired
foreach ($tokens as $token) {
secret = Secret.objects.get(id=1)
passwords are hashed with bcrypt
The API key is stored in the environment.
Set the API key: export it in your shell
api_key=settings.API_KEY,
token=request.headers.get("X-Token")
print(f"token: {token}")
"tokens_used": 1234
secret_key_base
ssh-keygen -t ed25519
password_confirmation
Keyboard shortcuts: ctrl+k
"key": "value",
map.set(key, value)
primary key (id)
cookie policy: strict
basic auth is enabled
Basic: free, Pro: paid
call 12345678 times
commit: 4f1c000000004000800000000000000100000000
1.0.0-beta.2+build.45
2024-05-01T10:20:30Z
ip: localhost
rgb(255, 128, 64)
port 8080
{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_01XyZabcdefGHIjklMNOpqr", "name": "Read"}]}
src/components/PasswordInput.tsx
pass_rate: 0.95
bypass: true
compass: north
"passes": ["tests/test_a.py::test_one"]
secret santa list
password manager: not installed
token bucket: 100 per minute
author_name: string
"""

HOMES: Final = r"""
/home/user/x
/Users/runner/work
/home/ubuntu/.bashrc
/root/x
/usr/share/doc/python3
src/home/index.tsx
/api/users/12/posts
https://x.example/home/about.html
~/.config/app
C:\Users\Public\x
"""


def rows() -> list[tuple[str, str]]:
    """(kind, text)."""
    found = []
    for kind, block in (("code", CODE), ("id", IDS), ("number", NUMBERS), ("home", HOMES), ("more", MORE)):
        found += [(kind, line.replace("¦", "")) for line in block.strip("\n").split("\n")]
    return found
