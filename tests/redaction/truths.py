# ruff: noqa: E501  # one text a line
"""Texts with something in them that must go, between « and »; made for this table, none of it real. ¦ is left out: it keeps a text from
looking like a live credential to who searches this repository."""

from __future__ import annotations

from typing import Final

A: Final = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3v"
HEX: Final = "3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c5d7e9f20416283a5c7e9db0f"

NAMED: Final = r"""
password: «sunflower»
Password: «Sommerregen»
passwd: «tigerlily»
pwd: «letmein»
pwd=«letmein»
pass: «dragonfly»
Passwort: «geheimnis»
mot de passe : «soleil»
contraseña: «girasol»
passphrase: "«correct horse battery staple»"
  password: «correct-horse»  # change me
password = «sunflower»
password => '«sunflower»',
{"password": "«sunflower»"}
{'password': '«tiger»', 'user': 'bob'}
{"db_password": "«Tr0ub4dor&3»", "port": 5432}
config.password = "«sunflower»"
"secret": "«keyboardcat»"
secret: «keyboardcat»
client_secret: «plainsecretword»
export SESSION_SECRET=«keyboardcat»
FOO_SECRET=«plainword»
DB_PASSWORD=«plainword»
DJANGO_SECRET_KEY=«abcdefghijklmnop»
MYSQL_ROOT_PASSWORD: «rootroot»
      - POSTGRES_PASSWORD=«postgrespass»
NPM_TOKEN=«abcdefghijkl»
WEBHOOK_SECRET='«plain words here»'
PGPASSWORD=«sunflower» psql -h db
ENCRYPTION_KEY=«kjhgfdsaqwertz»
spring.datasource.password=«sunflower»
secretKey: «sunflowerfield»
token = "«abcdefghijklmnop»"
auth_token: '«zyxwvutsrq»'
api_key: «mnbvcxylkjhg»
apiKey: "«mnbvcxylkjhg»",
api-key = «mnbvcxylkjhg12»
access_key = «QWERTZUIOPASDFGH»
the password is «hunter2»
The password is «Sunflower».
my password: «tiger12»
log in with user bob and password «hunter2»
user: bob / password: «tiger12»
bob's password was changed to «Winter2024!»
<password>«sunflower»</password>
<Secret>«keyboardcat7»</Secret>
<add key="ApiKey" value="«mnbvcxylkjhg»" />
{"name": "DB_PASSWORD", "value": "«sunflower»"}
- name: DB_PASSWORD
  value: «sunflower»
machine git.example login bob password «sunflower»
requirepass «sunflower»
CREATE USER bob IDENTIFIED BY '«sunflower»';
ALTER USER bob WITH PASSWORD '«sunflower»';
builder.password("«sunflower»")
ds.setPassword("«tiger»");
connect(user="bob", password="«tiger»")
login("bob", password='«s3cr3t pass»')
docker login -u bob -p «sunflower» registry.example
echo '«sunflower»' | sudo -S apt update
echo «sunflower» | docker login --password-stdin
htpasswd -b users bob «sunflower»
openssl rsa -in a.pem -passin pass:«sunflower»
redis-cli -a «sunflower» ping
echo "bob:«sunflower»" | chpasswd
tool --password «sunflower» run
tool --password=«sunflower»
tool --api-key «mnbvcxylkjhg»
sshpass -p «sunflower» ssh bob@h
mysql -u root -p«sunflower» db
curl -u bob:«geheim» https://x.example
wget --user=bob --password=«geheim» https://x.example
zip -P «sunflower» a.zip b
psql "host=db user=bob password=«sunflower»"
INSERT INTO users (name, password) VALUES ('bob', '«hunter2»')
$env:API_KEY = "«mnbvcxylkjhg»"
set DB_PASSWORD=«sunflower»
setx API_KEY «mnbvcxylkjhg»
PIN: «4711»
one-time code: «492817»
"otp": "«492817»"
Your verification code is «492817»
DB_PASS=«sunflower»
SMTP_PASS: «sunflower»
"accountKey": "«mnbvcxylkjhgqwertz»"
credentials = ("bob", "«Tr0ub4dor»")  # password
"private_key_id": "«3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c»"
"refresh_token": "«lkjhgfdsapoiuztrewq»"
"sessionToken": "«lkjhgfdsapoiuztrewq»"
csrf_token: «lkjhgfdsapoi4uztrewq»
"""

HEADERS: Final = r"""
Authorization: Token «9944b09199c62bcf9418ad846dd0e4bb»
Authorization: Token «plainwordtoken»
Authorization: token «abcdefghijkl»
Authorization: Basic «dXNlcjpwYXNz»
Authorization: Digest username="bob", realm="r", nonce="n", uri="/", response="«6629fae49393a05397450978507c4ef1»"
Authorization: ApiKey «mnbvcxylkjhg»
Authorization: Bearer «abcdefghijklmnop»
Authorization: Bearer «mF_9.B5f-4.1JqM»
Authorization: «mnbvcxylkjhgqwertz12»
Authorization: AWS4-HMAC-SHA256 Credential=«AKI¦AQWERTYUIOP234567/20250101/us-east-1/s3/aws4_request», SignedHeaders=host, Signature=«fe5f80f77d5fa3beca038a248ff027d0»
Authorization: Negotiate «YIIJvwYGKwYBBQUCoIIJszCCCa+gJDAi»
Authorization: NTLM «TlRMTVNTUAABAAAAB4IIAAAAAAAA»
Proxy-Authorization: Basic «dXNlcjpwYXNz»
{"Authorization": "Token «plainwordtoken»"}
{"authorization": ["Bearer «abcdefghijklmnop»"]}
headers={'Authorization': 'Bearer «qwertzuiopasdf»'}
-H "Authorization: token «plainwordtoken»"
curl -H 'X-Api-Key: «abcdefgh»' https://x.example
X-API-Key: «mnbvcxylkjhg»
x-api-key: "«mnbvcxylkjhg»"
X-Auth-Token: «mnbvcxylkjhg»
PRIVATE-TOKEN: «mnbvcxylkjhg»
Api-Key: «mnbvcxylkjhg»
Ocp-Apim-Subscription-Key: «mnbvcxylkjhg»
X-Vault-Token: «mnbvcxylkjhg»
X-Goog-Api-Key: «mnbvcxylkjhg»
"X-Amz-Security-Token": "«FwoGZXIvYXdzEBYaDKjhgfdsapoiuztrewq»"
X-CSRFToken: «lkjhgfdsapoi4uztrewq»
Cookie: a=1; session=«abcdef»
Cookie: sid=«x1»; theme=dark; auth=«abcdef12»
Set-Cookie: sid=«ab12cd»; Path=/; HttpOnly
cookie: _ga=GA1.2.3; csrftoken=«lkjhgfdsapoi4uztrewq»
curl -b "session=«abcdef12»" https://x.example
curl --cookie 'session=«abcdef12»' https://x.example
{"Cookie": "sessionid=«lkjhgfdsa»"}
JSESSIONID=«0123456789ABCDEF0123456789ABCDEF»
PHPSESSID=«lkjhgfdsapoi4uztrewq»
document.cookie = "session=«abcdef12»"
cookies = {"sessionid": "«lkjhgfdsapoi4»"}
"""

PLACES: Final = r"""
https://bob:«sunflower»@host.example/x
https://bob:«p%40ss%2Fword»@host.example/x
https://«ghp¦_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5»@github.com/a/b.git
https://x-access-token:«v1.mnbvcxylkjhg»@github.com/a/b
https://oauth2:«mnbvcxylkjhg»@gitlab.example/a/b
https://«3f9a1c7e5b2d4806f1e3a5c7092b4d6e»@o4501.ingest.sentry.io/1
postgres://admin:«s3cr3t-pw»@db.internal/x
postgresql+asyncpg://u:«p@ss»@db:5432/x
mongodb+srv://bob:«sunflower»@c0.abcde.mongodb.net/x
redis://:«sunflower»@cache:6379/0
amqp://guest:«guestpw»@mq:5672
https:\/\/bob:«sunflower»@host.example\/x
jdbc:postgresql://db/x?user=bob&password=«sunflower»
https://x.example/cb?access_token=«mnbvcxylkjhg»&x=1
https://x.example/cb?code=1&api_key=«mnbvcxylkjhg»
https://maps.example/api?key=«mnbvcxylkjhgqwertz12»
https://x.example/reset?token=«mnbvcxylkjhg»
https://b.s3.amazonaws.com/k?X-Amz-Signature=«fe5f80f77d5fa3beca038a248ff027d0445342fe»
https://a.blob.core.windows.net/c?sv=2022&sig=«Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA%3D%3D»
Server=db;User Id=sa;Password=«Tiger»;
Driver={ODBC};UID=sa;PWD=«tiger»;
Data Source=db;Initial Catalog=x;User ID=sa;Password="«Ti ger»"
DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6QUJDREVG==»;
Endpoint=sb://n.servicebus.windows.net/;SharedAccessKeyName=R;SharedAccessKey=«Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo=»
cloudinary://123456789012345:«mnbvcxylkjhgqwertz12»@cloud
https://hooks.slack¦.com/services/«T00000000/B00000000/aB3dE5fG7hJ9kL1mN3pQ5rS7»
https://discord.com/api/webhooks/«123456789012345678/aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3vXyZw»
https://acme.webhook.office.com/webhookb2/«3f9a1c7e-5b2d-4806-f1e3-a5c7092b4d6e@3f9a1c7e-5b2d-4806-f1e3-a5c7092b4d6f/IncomingWebhook/3f9a1c7e5b2d4806f1e3a5c7092b4d6e/3f9a1c7e»
"""

KEYS: Final = r"""
«AKI¦AQWERTYUIOP234567» is ours
AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMIaK7MDENGabPxRfiCYzQ1W2E3R4T»
"SecretAccessKey": "«wJalrXUtnFEMI/K7MDENG+bPxRfiCYzQ1W2E3R4T»"
aws_session_token = «FwoGZXIvYXdzEBYaDKjhgfdsapoiuztrewq1234567890»
«AIz¦aSyA1234567890abcdefghijklmnopqrstuv»
«ya29¦.a0AfH6SMBx1234567890abcdef»
«GOCS¦PX-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v»
AZURE_CLIENT_SECRET: «abc8¦Q~aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z»
az login gave «xyz8¦Q~aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z»
«ghp¦_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5»
«gho¦_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5»
«ghs¦_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5»
«github¦_pat_11ABCDEFG0aB3dE5fG7hJ9kL_1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3v»
«glp¦at-aB3dE5fG7hJ9kL1mN3pQ»
«xox¦b-123456789012-1234567890123-aB3dE5fG7hJ9kL1mN3pQ5rS7»
«xap¦p-1-A012B3C4D5-1234567890123-3f9a1c7e5b2d4806»
«sk¦_live_aB3dE5fG7hJ9kL1mN3pQ5rS7»
«rk¦_live_aB3dE5fG7hJ9kL1mN3pQ5rS7»
«whsec¦_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY»
«sk¦-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3»
«sk¦-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7_tU9vW1xY3zA5»
«sk¦-svcacct-aB3dE5fG7hJ9kL1mN3pQ5rS7_tU9vW1xY3zA5»
«sk¦-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5rS7-tU9vW1xY3zA5»
«sk¦-ant-oat01-aB3dE5fG7hJ9kL1mN3pQ5rS7-tU9vW1xY3zA5»
«sk¦-or-v1-3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c5d7e9f20416283a5c7e9db0f»
«hf¦_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH»
«gsk¦_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5m»
«xai¦-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3v»
«pplx¦-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1h»
«npm¦_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5»
«pypi¦-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtNDAwMC04»
«SG¦.aB3dE5fG7hJ9kL1mN3pQ5r.S7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3vX»
«dapi¦3f9a1c7e5b2d4806f1e3a5c7092b4d6e»
«dop¦_v1_3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c5d7e9f20416283a5c7e9db0f»
«shpat¦_3f9a1c7e5b2d4806f1e3a5c7092b4d6e»
«lin¦_api_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d»
«ntn¦_12345678901aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY»
«hvs¦.CAESIJaB3dE5fG7hJ9kL1mN3pQ5rS7»
«figd¦_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d»
«glsa¦_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY_3f9a1c7e»
«123456789:AA¦HaB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1x»
«MTIzNDU2Nzg5MDEyMzQ1Njc4¦.GaBcDe.aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC»
«key¦-3f9a1c7e5b2d4806f1e3a5c7092b4d6e» for the mail gun
«3f9a1c7e5b2d4806f1e3a5c7092b4d6e¦-us12»
«sq0atp¦-aB3dE5fG7hJ9kL1mN3pQ5r»
«dckr¦_pat_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9»
«rubygems¦_3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c5d7e9f20»
«aB3dE5fG7hJ9kL¦.atlasv1.aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3v»
«NRAK¦-ABCDEFGHIJKLMNOPQRSTUVWXYZ1»
«sbp¦_3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c»
«lsv2¦_pt_3f9a1c7e5b2d4806f1e3a5c7092b4d6e_8f0a1b3c5d»
«sk¦-lf-3f9a1c7e-5b2d-4806-81e3-a5c7092b4d6e»
«tvly¦-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY»
«pcsk¦_aB3dE5_fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3v»
«AGE-SECRET¦-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ»
«PMAK¦-3f9a1c7e5b2d4806f1e3a5c7-3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f»
«ATATT3¦aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3vaB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ»
«eyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N»
«eyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0»
cut short: «eyJ¦hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9»...
its payload is «eyJ¦zdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ»
«eyJ¦hbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOawDo13gRp2ojaHV7LFpZcgV7T6DVZKTyKOMTYUmKoTCVJRgckCL9kiMT03JGe.48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6ji.XFBoMYUZodetZdvTiFvSkQ»
"""

PERSONS: Final = r"""
write to «maria.keller@acme-bank.example» now
<«maria+news@acme.example»>
mailto:«maria@acme.example»?subject=x
«anna%40acme.example»
«müller@münchen.de»
Co-Authored-By: Maria Keller <«maria@keller.example»>
call «+49 30 1234567»
call «+1 (555) 010-4477»
call «+442079460958»
tel:«+4930123456»
Phone: «(555) 010-4477»
phone: «555-010-4477»
Tel.: «030 1234567»
Mobile: «0171 2345678»
call «0049 30 1234567»
«(212) 555-0147»
«212-555-0147»
«DE89 3704 0044 0532 0130 00»
«DE89370400440532013000»
IBAN: «GB29 NWBK 6016 1331 9268 19»
«FR1420041010050500013M02606»
«4111 1111 1111 1111»
«5500005555555559»
«3782-822463-10005»
card «6011000990139424»
SSN «078-05-1120»
from «203.0.113.7» port 22
ssh root@«198.51.100.23»
host «2001:db8:85a3::8a2e:370:7334» up
addr «192.168.178.23»/24
ether «00:1B:44:11:3A:B7»
"birth_date": "«1984-05-07»"
"first_name": "«Maria»"
{"username": "«mkeller»"}
Geboren am «07.05.1984»
date of birth: «1984-05-07»
"""

MORE: Final = r"""
Password= «Rosengarten»
"passwd":"«mycatname»"
pwd: "«p@ssw0rd»"
admin_password: «changeit7»
root_password = '«toor4ever»'
    passwort: "«Löwenzahn»"
export REDIS_PASSWORD="«blueberry»"
RABBITMQ_DEFAULT_PASS=«carrots»
APP_KEY=base64:«mZ0bqCk3n2Qx8xw1pLr5u7v9yBdEgHjK»
JWT_SECRET=«thisisnotsafe»
STRIPE_WEBHOOK_SECRET=«plainvaluehere»
LDAP_BIND_PASSWORD «hunter22»
access_token: «qpwoeirutyalskdj»
"id_token": "«qpwoeirutyalskdjfhgzmxncbv»"
"apikey": "«mnbvcxylkj»"
api.key=«mnbvcxylkj12»
"clientSecret": "«lkjhgfdsapoi»"
the passphrase is «bluebird7»
Your password is: «Xk9!mmQ2»
pw: «geheim99»
username/password: admin/«hunter2»
credentials: «bob:hunter22»
wget --http-password=«geheim» http://x
psql postgresql://bob:«geheim»@h/db
git clone https://bob:«geheim77»@git.example/x.git
ftp://anon:«letmein»@files.example/
curl --user bob:«geheim» https://x
curl -H "Authorization: Bearer «zxcvbnmasdfghjkl»" https://x
curl -H "X-Auth-Key: «mnbvcxylkj12»" https://x
headers["Authorization"] = "Token «zxcvbnmasdf»"
requests.get(u, auth=("bob", "«geheim77»"))
Authorization: bearer «ZXCVBNMasdfghjkl»
authorization=Basic «Ym9iOmdlaGVpbQ==»
Cookie: PHPSESSID=«abc123def456»
Set-Cookie: token=«zxcvbnm»; Secure
x-session-token: «mnbvcxylkj12»
Private-Token: «mnbvcxylkj12»
client_id=abc&client_secret=«mnbvcxylkj»&x=1
grant_type=password&username=bob&password=«geheim»
https://x.example/?token=«abcdef123456»
Password for bob: «hunter22»
kubectl create secret generic s --from-literal=password=«geheim77»
ansible_become_pass: «geheim»
ansible_ssh_pass=«geheim»
<password>«geheim»</password>
<Password Value="«geheim77»"/>
SecureString "«geheim77»" -AsPlainText
ConvertTo-SecureString '«geheim77»' -AsPlainText
"connectionString": "Server=h;Database=d;Uid=u;Pwd=«geheim»;"
AccountKey=«AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz==»
«ASIA¦QWERTYUIOP234567»
«glpat¦-AbCdEfGh12345678IjKl»
«sk¦-ant-sid01-AbCdEfGh12345678IjKlMn-AbCdEfG»
«AIza¦SyBdVl-cTICSwYKrZ95SuvNw7dbMuDt1KG0»
telefon: «089 1234567»
Mobile «+44 7911 123456»
e-mail: «j.doe+x@sub.acme.co.uk»
«2001:0db8:0000:0000:0000:ff00:0042:8329»
card: «5105 1051 0510 5100»
IBAN «CH93 0076 2011 6238 5295 7»
passport_number: «C01X00T47»
Passcode: «884422»
OTP is «884422»
"""
"""Written when the patterns stood, to see how they do on what they were not made for: 52 of 63 at first."""

BROKEN: Final = (
    "token: «ghp¦_aB3dE5fG7hJ9kL1mN3p»\n«Q5rS7tU9vW1xY3zA5» and on",
    "«ghp¦_aB3dE5fG7hJ9kL1mN3p» \\\n   «Q5rS7tU9vW1xY3zA5»",
    "export K=«sk¦-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5»\n«rS7-tU9vW1xY3zA5bC7dE9»",
    "«sk¦-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7»\r\n«tU9vW1xY3zA5bC7dE9»\r\nNext line of words",
    "«eyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3»\n«ODkwIn0.dozjgNryP4J3jVmNHl0w5N»",
    "«eyJ¦hbGciOiJIUzI1NiJ9.»\n«eyJzdWIiOiIxMjM0NTY3ODkwIn0.»\n«dozjgNryP4J3jVmNHl0w5N»",
    "«xox¦b-123456789012-12345678»\n«90123-aB3dE5fG7hJ9kL1mN3pQ5rS7»",
    "Authorization: Bearer «abc123def456ghi»\n«jkl789mno»",
    "«AIz¦aSyA1234567890abcd»\n«efghijklmnopqrstuv»",
    "AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMIaK7MDEN»\n«GabPxRfiCYzQ1W2E3R4T»",
    "«npm¦_aB3dE5fG7hJ9kL1mN3p»\n«Q5rS7tU9vW1xY3zA5»",
    "«github¦_pat_11ABCDEFG0aB3dE5fG7hJ9kL_1mN3pQ5rS7tU9v»\n> «W1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3v»",
    "key: «AKI¦AQWERTYU»\n«IOP234567»",
    'print("«ghp¦_aB3dE5fG7hJ9kL1mN3p»\\n«Q5rS7tU9vW1xY3zA5»")',
)

PEM: Final = (
    "«-----BEGIN ¦PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----»\nafter",
    '{"private_key": "«-----BEGIN ¦PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\\nBKcwggSjAgEAAoIBAQC7VJ\\n-----END PRIVATE KEY-----»\\n"}',
    "«-----BEGIN ¦OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ»\n",
    "«-----BEGIN ¦RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,3F9A1C7E5B2D4806\n\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n"
    "-----END RSA PRIVATE KEY-----»",
    "«-----BEGIN ¦PGP PRIVATE KEY BLOCK-----\n\nlQOYBGRk3f9a1c7e5b2d4806f1e3a5c709\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----»",
    'KEY="«-----BEGIN ¦EC PRIVATE KEY-----\\\\nMHcCAQEEIIGlRTk3f9a1c7e5b2d4806f1e3a\\\\n-----END EC PRIVATE KEY-----»"',
    "PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 2\n«AAABAQCxmB3f9a1c7e5b2d4806f1e3a5c7092b4d6e8f0a1b3c5d7e9f204162»\n«83a5c7e9db0f3f9a1c7e5b2d48==»\nPrivate-MAC: 3f",
)

HOMES: Final = (
    "/home/«mkeller»/books/x.py", "/Users/«maria.keller»/x", r"C:\Users\«mkeller»\x", r"C:\\Users\\«mkeller»\\x", "/mnt/c/Users/«mkeller»/x",
    "/c/Users/«mkeller»/x", "file:///home/«mkeller»/x", "cd /home/«mkeller»", "drwxr-xr-x 2 «mkeller» «mkeller» 4096 /home/«mkeller»",
    "«mkeller»@thinkpad:/home/«mkeller»$ ls", "~/.claude/projects/-home-«mkeller»-books of /home/«mkeller»/books", "/home/«jörg»/x",
    "%2Fhome%2F«mkeller»%2Fx", "/var/home/«mkeller»/x", "/export/home/«mkeller»/x", r"C:\Users\«Maria Keller»\x", "/home/«mk»/x",
)  # fmt: skip
"""Told by the folder: these are searched as whole files."""


def rows() -> list[tuple[str, str, tuple[str, ...]]]:
    """(kind, text, what must go)."""
    found = []
    for kind, block in (("named", NAMED), ("header", HEADERS), ("url", PLACES), ("key", KEYS), ("person", PERSONS), ("more", MORE)):
        text = block.strip("\n").replace("DB_PASSWORD\n  value", "DB_PASSWORD¤  value")
        found += [(kind, line.replace("¤", "\n")) for line in text.split("\n")]
    found += [("broken", text) for text in BROKEN] + [("private key", text) for text in PEM] + [("home", text) for text in HOMES]
    return [(kind, text, wanted) for kind, text, wanted in (_row(kind, text) for kind, text in found)]


def _row(kind: str, text: str) -> tuple[str, str, tuple[str, ...]]:
    plain = text.replace("¦", "")
    wanted = tuple(piece.partition("»")[0] for piece in plain.split("«")[1:])
    return kind, plain.replace("«", "").replace("»", ""), wanted
