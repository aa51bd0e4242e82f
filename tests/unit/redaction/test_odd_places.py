# ruff: noqa: E501, RUF001, S608, UP031 - one case, one line, and spelled as the page spells it
"""Inputs unlike those that the rules were written for: each was once found to leak, or might have.

A case is a name, a body, and what must not be left of it. Secrets are made at run time: no scanner takes them for real.
"""

import base64
import json
import random
import string
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest

from gasoline_workers.redaction.rules import redact

RANDOM = random.Random(9)  # noqa: S311 - not for cryptography

ACCEPTED = {
    "echo base64?": "the Base64 of a name and a password that the body shows elsewhere: every run would have to be decoded",
    "dict nested list": "a short secret under a name that says nothing, in a list of secrets",
}
"""What is known to leak, and why that is left: a test that begins to pass says so."""

Case = tuple[str, object, list[str]]


def first() -> list[Case]:
    tok = "".join(RANDOM.choices(string.ascii_letters + string.digits, k=26)) + "7x"
    hx = "".join(RANDOM.choices("0123456789abcdef", k=30)) + "a1"
    pw = "Tr0ub4dor" + "&3"
    b64 = base64.b64encode(RANDOM.randbytes(30)).decode()
    jwt = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiI0MiJ9." + tok
    pem = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEow" + tok + "\n" + tok + "\n-----END RSA PRIVATE KEY-----"
    # fmt: off
    return [
        ("redux action",{"type":"LOGIN_SUCCESS","payload":{"user":{"id":1},"jwt":jwt}},[jwt]),
        ("graphql vars",json.dumps({"query":"mutation($p:String!){login(password:$p)}","variables":{"input":{"email":"a@b.c","password":pw}}}),[pw]),
        ("inline graphql",'mutation { login(email: "a@b.c", password: "%s") { token } }'%pw,[pw]),
        ("fetch source",'fetch("/x",{headers:{"Authorization":"Bearer %s"}})'%tok,[tok]),
        ("fetch header arr",{"options":{"headers":[["x-access-token",tok]]}},[tok]),
        ("template",f"const auth = `Bearer {tok}`;",[tok]),
        ("process env dump",{"env":{"STRIPE_SECRET":hx,"NODE_ENV":"production","DATABASE_URL":f"postgres://u:{quote(pw,safe='')}@h/db"}},[hx,quote(pw,safe="")]),
        ("jwt in path",f"/verify/{jwt}",[jwt]),
        ("reset link",f"https://a.test/reset-password/{hx}",[hx]),
        ("reset link query",f"https://a.test/reset?code={tok}&u=1",[tok]),
        ("presigned","https://b.s3.amazonaws.com/k?X-Amz-Credential=AKI"+"AIOSFODNN7EXAMPLE%2F20240101&X-Amz-Signature="+hx+hx,["AKI"+"AIOSFODNN7EXAMPLE",hx]),
        ("azure sas",f"https://a.blob.core.windows.net/c?sv=2020&sig={quote(b64,safe='')}&se=2024",[quote(b64,safe="")]),
        ("ws sub",{"data":json.dumps({"type":"connection_init","payload":{"authToken":tok}})},[tok]),
        ("stomp",f"CONNECT\nlogin:guest\npasscode:{pw}\naccept-version:1.1\n\n\x00",[pw]),
        ("socket.io auth",'40{"token":"%s"}'%tok,[tok]),
        ("sse",f'event: msg\ndata: {{"access_token": "{tok}"}}\n\n',[tok]),
        ("ndjson",f'{{"a":1}}\n{{"password":"{pw}"}}\n{{"b"',[pw]),
        ("jsonp",f'cb({{"session_token":"{tok}"}});',[tok]),
        ("xssi",f")]}}',\n{{\"csrf\":\"{tok}\"}}",[tok]),
        ("url in css",f".a{{background:url(https://a.test/x.png?token={tok})}}",[tok]),
        ("srcset",{"tag":"img","attributes":{"srcset":f"/a.png?access_token={tok} 1x, /b.png?access_token={tok} 2x"}},[tok]),
        ("onclick",{"tag":"a","attributes":{"onclick":f"login('bob', '{pw}'); setToken('{tok}')"}},[tok]),
        ("data-config",{"tag":"div","attributes":{"data-config":json.dumps({"mapboxToken":tok,"apiKey":hx})}},[tok,hx]),
        ("__NEXT_DATA__",{"tag":"script","attributes":{"id":"__NEXT_DATA__"},"text":json.dumps({"props":{"session":{"accessToken":tok}}})[:-3]},[tok]),
        ("window state",f'window.__STATE__={{"auth":{{"token":"{tok}","refresh_token":"{hx}"}}}};',[tok,hx]),
        ("input label",{"tag":"input","attributes":{"aria-label":"API key","value":"abcd-efgh-ijkl"}},["abcd-efgh-ijkl"]),
        ("input placeholder",{"tag":"input","attributes":{"placeholder":"Enter your secret","value":"swordfish"}},["swordfish"]),
        ("role textbox",{"role":"textbox","name":"Password","value":"swordfish"},["swordfish"]),
        ("cc",{"tag":"input","attributes":{"name":"cardnumber","value":"4000 0566 5566 5556"}},["4000 0566"]),
        ("cvv",{"tag":"input","attributes":{"name":"cvc","value":"123"}},["123"]),
        ("pin int",{"pin":1234},["1234"]),
        ("otp sms","Your Acme code is 845-221. Don't share it.",["845-221"]),
        ("otp G","G-482913 is your Google verification code",["482913"]),
        ("otp2","Use 482913 as your login code",["482913"]),
        ("otp3","Enter this code: 482913",["482913"]),
        ("seed",{"mnemonic":"abandon ability able about above absent absorb abstract absurd abuse access accident"},["abandon"]),
        ("seed text","Recovery phrase: abandon ability able about above absent absorb abstract absurd abuse access accident",["ability able"]),
        ("recovery codes",{"recoveryCodes":["a1b2-c3d4","e5f6-g7h8"]},["a1b2","g7h8"]),
        ("soap",f"<s:Envelope><s:Header><Security><UsernameToken><Username>bob</Username><Password>{pw.replace('&','&amp;')}</Password></UsernameToken></Security>",["Tr0ub4dor"]),
        ("saml","SAMLResponse="+quote(base64.b64encode(b"<samlp:Response>"+tok.encode()*4).decode(),safe=""),[quote(base64.b64encode(b"<samlp:Response>").decode()[:16],safe="")]),
        ("plist",f"<key>apiPassword</key><string>{pw}</string>",["Tr0ub4dor"]),
        ("android",f'<string name="google_api_key">{tok}</string>',[tok]),
        ("csv",f"user,password\nbob,{pw}\n",[pw]),
        ("table html",f"<table><tr><th>Password</th><td>{pw.replace('&','&amp;')}</td></tr></table>",["Tr0ub4dor"]),
        ("dl",{"tag":"dl","children":[{"tag":"dt","text":"API key"},{"tag":"dd","text":hx}]},[hx]),
        ("curl -u",f"curl -u admin:{pw} https://a",[pw]),
        ("cli",f"mysql -u root --password={pw} db",[pw]),
        ("cli -p",f"mysql -uroot -p{pw} db",[pw]),
        ("docker",f"docker run -e POSTGRES_PASSWORD={pw} pg",[pw]),
        ("ini",f"[db]\nuser = bob\npass = {pw}\n",[pw]),
        ("jdbc",f"jdbc:mysql://h/db?user=bob&password={pw}",["Tr0ub4dor"]),
        ("mongodb",f"mongodb+srv://bob:{quote(pw,safe='')}@c.mongodb.net/x?retryWrites=true",[quote(pw,safe="")]),
        ("redis",f"redis://:{hx}@h:6379",[hx]),
        ("at in pw","ftp://bob:p@ss!w0rd@host/x",["ss!w0rd","p@ss"]),
        ("key as value order",{"value":tok,"key":"jwt"},[tok]),
        ("localStorage event",{"storageArea":"local","key":"persist:auth","newValue":json.dumps({"token":json.dumps(tok)})},[tok]),
        ("firebase",{"stsTokenManager":{"refreshToken":tok,"accessToken":jwt,"expirationTime":1}},[tok,jwt]),
        ("oauth1",f'OAuth oauth_consumer_key="{tok}", oauth_signature="{hx}"',[tok,hx]),
        ("aws v4",f"Authorization: AWS4-HMAC-SHA256 Credential=x/20240101, SignedHeaders=host, Signature={hx}",[hx]),
        ("header obj case",{"responseHeaders":{"SET-COOKIE":f"sid={tok}; Secure"}},[tok]),
        ("multi set-cookie",{"headers":{"set-cookie":[f"a={tok}; Path=/",f"b={hx}; HttpOnly"]}},[tok,hx]),
        ("proxy-auth",{"headers":{"Proxy-Authorization":"Basic "+base64.b64encode(b"bob:hunter2").decode()}},["Ym9i"]),
        ("basic text","got Basic "+base64.b64encode(b"bob:hunter22").decode(),["Ym9i"]),
        ("pem json",json.dumps({"k":pem}),[tok]),
        ("pem one line","x -----BEGIN PRIVATE KEY-----MIIE"+tok,[tok]),
        ("ssh",f"-----BEGIN OPENSSH PRIVATE KEY-----\n{tok}\n-----END OPENSSH PRIVATE KEY-----",[tok]),
        ("jwk",json.dumps({"keys":[{"kty":"oct","k":tok}]}),[tok]),
        ("unicode esc",'{"\\u0070assword":"\\u0068unter2x"}',["unter2x"]),
        ("escaped quote",'{"password":"ab\\"cd9ef"}',["cd9ef"]),
        ("double esc",'{\\"secret\\":\\"%s\\"}'%pw,[pw]),
        ("triple",json.dumps({"a":json.dumps({"b":json.dumps({"password":pw})})})[:-8],[pw]),
        ("base64 nested",base64.b64encode(json.dumps({"u":1,"apiKey":tok}).encode()).decode(),[base64.b64encode(json.dumps({"u":1,"apiKey":tok}).encode()).decode()[20:40]]),
        ("url twice",quote(quote("https://a/?access_token="+tok,safe=""),safe=""),[tok]),
        ("plus form","a=1&new_password=my+secret+pass9&b=2",["secret+pass9"]),
        ("hash route",f"https://a/#/login?token={hx}",[hx]),
        ("matrix",f"https://a/x;jsessionid={hx}?q=1",[hx]),
        ("php",f"PHPSESSID={tok}; path=/",[tok]),
        ("cookie plain console",{"args":[f"_ga=GA1.2; connect.sid=s%3A{tok}; theme=dark"]},[tok]),
        ("echo title",{"title":f"t {tok}","cookies":[{"name":"x","value":tok}]},[tok]),
        ("echo trunc",{"log":"z"*400+tok[:14]+"…","password":tok},[tok[:14]]),
        ("echo urlenc",{"password":"p4ss word/9!","url":"/x?a=p4ss%20word%2F9%21"},["p4ss%20"]),
        ("echo base64?",{"password":pw,"h":base64.b64encode(f"bob:{pw}".encode()).decode()},[base64.b64encode(f"bob:{pw}".encode()).decode()]),
        ("err stack",f"Error: 401 for https://a/?api_key={hx} at f (x.js:1:2)",[hx]),
        ("german","Passwort: geheim99",["geheim99"]),
        ("chinese","密码：geheim99",["geheim99"]),
        ("label newline",f"API Key\n{tok}",[tok]),
        ("kw is","my password is Sw0rdfish!",["Sw0rdfish"]),
        ("Password quoted","password 'Sw0rdfish!' was rejected",["Sw0rdfish"]),
        ("wifi","WIFI:T:WPA;S:mynet;P:Sw0rdfish9;;",["Sw0rdfish9"]),
        ("otpauth","otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&issuer=A",["JBSWY3DP"]),
        ("object access",f"config['api-key'] = '{tok}'",[tok]),
        ("php arr",f"'password' => '{pw}',",[pw]),
        ("go struct",f'Config{{Password:"{pw}"}}',[pw]),
        ("py kwargs",f"connect(host='h', password='{pw}')",[pw]),
        ("ruby",f':secret => "{pw}"',[pw]),
        ("xml attr",f'<add key="ApiKey" value="{tok}"/><user password="{pw}"/>'.replace("&3","9"),[tok,"Tr0ub4dor9"]),
        ("contenteditable",{"tag":"div","attributes":{"id":"access-token"},"text":tok},[tok]),
        ("span class",{"tag":"span","attributes":{"class":"api-key"},"text":hx},[hx]),
        ("list text",{"text":f"Token\n{jwt}\nCopy"},[jwt]),
        ("bytes json",json.dumps({"password":pw}).encode(),[pw]),
        ("utf16 bytes",json.dumps({"password":pw}).encode("utf-16-le"),[pw.encode("utf-16-le").decode("latin-1")]),
        ("int card",{"n":4242424242424242},["4242424242424242"]),
        ("dict key secret",{jwt:True},[jwt]),
        ("tuple",("password",[pw]),[]),
        ("nfkc","ｐａｓｓｗｏｒｄ=Sw0rdfish9",["Sw0rdfish9"]),
        ("zwsp","pass\u200bword=Sw0rdfish9",["Sw0rdfish9"]),
        ("sep tabs","password\t\t:\t\tSw0rdfish9",["Sw0rdfish9"]),
        ("html comment",f"<!-- password: {pw} -->",[pw]),
        ("html noquote",f"<input type=PASSWORD value={hx}>",[hx]),
        ("html svg attr newline",f"<input\n type = 'password'\n value = 'a b{hx}'>",[hx]),
        ("trunc html quote mid",f'<a title="x><input type="password" value="{hx}"><b>',[hx]),
        ("select",{"selector":f"input[name='token'][value='{hx}']"},[hx]),
        ("script in html",f'<script>var csrfToken = "{tok}";</script>',[tok]),
        ("style textsec",{"tag":"input","attributes":{"style":"-webkit-text-security: disc","value":"swordfish"}},["swordfish"]),
        ("fd",{"formData":{"user":"b","pass":"toor"}},["toor"]),
        ("fd list",{"postData":{"params":[{"name":"j_password","value":"toor1"}]}},["toor1"]),
        ("query arr",{"queryString":[{"name":"sig","value":tok}]},[tok]),
    ]
    # fmt: on


def second() -> list[Case]:
    tok = "".join(RANDOM.choices(string.ascii_letters + string.digits, k=30)) + "7x"
    hx = "".join(RANDOM.choices("0123456789abcdef", k=38)) + "a1"
    pw = "S3cr3t" + "!pass"
    uu = "3f2b8c1e-9d4a-4f6b-8e2d-1a2b3c4d5e6f"
    jwt = "eyJhbGciOiJSUzI1NiJ9" + ".eyJzdWIiOiI0MiIsImV4cCI6MX0." + tok
    # fmt: off
    return [
        ("axios config",{"config":{"auth":{"username":"bob","password":pw},"headers":{"common":{"Authorization":"Bearer "+tok}}}},[pw,tok]),
        ("error toJSON",'AxiosError: Request failed {"config":{"headers":{"Authorization":"Bearer %s"}},"code":"ERR"}'%tok,[tok]),
        ("xml attr ns",f'<config><add name="x" connectionString="Server=a;User ID=b;Password={pw};"/></config>',[pw]),
        ("ts",f"const apiKey: string = '{tok}';",[tok]),
        ("class field",f'this.apiSecret = "{tok}";',[tok]),
        ("ternary",f"const token = isProd ? '{tok}' : null;",[tok]),
        ("fallback",f"const secret = process.env.SECRET || '{pw}';",[pw]),
        ("concat",f"var url = base + '?access_token=' + '{tok}';",[tok]),
        ("setItem",f"localStorage.setItem('token', '{tok}')",[tok]),
        ("setRequestHeader",f"xhr.setRequestHeader('Authorization', 'Bearer {tok}')",[tok]),
        ("headers.append",f'headers.append("X-Api-Key", "{hx}")',[hx]),
        ("new Headers",f"new Headers([['x-auth-token', '{tok}']])",[tok]),
        ("Object entries str",f"[['password','{pw}'],['user','x']]",[pw]),
        ("querystring upper",f"/api?APIKEY={hx}&X=1",[hx]),
        ("semicolon url",f"/api;token={tok};v=1",[tok]),
        ("encoded amp",f"/cb?x=1&amp;access_token={tok}&amp;y=2",[tok]),
        ("double amp json",json.dumps({"url":f"/cb?x=1&refresh_token={tok}"}),[tok]),
        ("unicode amp json",'{"url":"/cb?x=1\\u0026client_secret=%s"}'%tok,[tok]),
        ("form in json",json.dumps({"body":urlencode({"grant_type":"password","password":pw})}),[quote(pw),pw]),
        ("dict nested list",{"secrets":[{"STRIPE":tok},{"DB":"hunter22x"}]},[tok,"hunter22x"]),
        ("creds str",{"credentials":"bob:"+pw},[pw]),
        ("basic in url enc",f"/x?auth=Basic%20{base64.b64encode(b'bob:hunter22').decode()}",["Ym9iOmh1"]),
        ("k8s secret",{"kind":"Secret","data":{"password":base64.b64encode(pw.encode()).decode()}},[base64.b64encode(pw.encode()).decode()]),
        ("aws creds","[default]\naws_access_key_id = AKI"+"A2E4QKDHS6NNPLA7X\naws_secret_access_key = "+tok+"abcdefgh\n",["AKI"+"A2E4QK",tok]),
        ("gcp sa",json.dumps({"type":"service_account","private_key_id":hx,"private_key":"-----BEGIN PRIVATE KEY-----\nMIIEvQ"+tok+"\n-----END PRIVATE KEY-----\n"}),[tok]),
        ("npmrc","//packages.test/:_authToken="+tok,[tok]),
        ("package index","--repository https://u:"+tok+"@packages.test/simple",[tok]),
        ("git remote","origin https://oauth2:"+tok+"@gitlab.com/x.git (fetch)",[tok]),
        ("slack url","https://hooks."+"slack.com/services/T00000000/B00000000/"+tok,[tok]),
        ("discord","https://discord.com/api/webhooks/123456789012345678/"+tok+tok,[tok]),
        ("teams json",{"webhook_url":"https://x.webhook.office.com/webhookb2/"+uu+"@"+uu+"/IncomingWebhook/"+hx},[hx]),
        ("sentry dsn","https://"+hx[:32]+"@o1.ingest.sentry.io/1",[hx[:32]]),
        ("mqtt","mqtt://dev:"+pw+"@broker",[pw]),
        ("ldap","ldap://cn=admin:"+pw+"@h",[pw]),
        ("email body","Hi, your temporary password is "+pw+" and expires soon",[pw]),
        ("email body2","Temporary password: "+pw+". Please change it.",[pw]),
        ("sms2","123456 is your Foo verification code.",["123456"]),
        ("sms3","Your code: 123 456",["123 456"]),
        ("2fa backup list",{"tag":"ul","attributes":{"id":"backup-codes"},"children":[{"tag":"li","text":"a1b2c3d4e5"}]},["a1b2c3d4e5"]),
        ("otp inputs",{"tag":"input","attributes":{"autocomplete":"one-time-code","value":"4"}},["4"]),
        ("masked but real title",{"tag":"input","attributes":{"type":"password","value":pw,"title":pw}},[pw]),
        ("pw in data attr",{"tag":"input","attributes":{"type":"password","data-original":pw,"value":pw}},[pw]),
        ("short pw in selector",{"tag":"input","selector":'input[type="password"][value="abc"]',"attributes":{"type":"password","value":"abc"}},['"abc"',"=abc"]),
        ("css sel in log",f"no element input#password[value='{pw}']",[pw]),
        ("html react",f'<input data-reactid="1" class="x" value="{pw}" name="user[password]" />',[pw]),
        ("html select token",f'<option value="{tok}" selected>Token</option>',[]),
        ("html uppercase",f'<INPUT TYPE="PASSWORD" VALUE="{pw}">',[pw]),
        ("html entity in name",f'<input name="pass&#119;ord" value="{pw}">',[pw]),
        ("svg hidden",f"<svg><metadata><apiKey>{hx}</apiKey></metadata></svg>",[hx]),
        ("textarea html",f"<textarea id='ssh-key'>-----BEGIN OPENSSH PRIVATE KEY-----\n{tok}\n</textarea>",[tok]),
        ("code tag",{"tag":"code","attributes":{"data-testid":"access-token"},"text":tok},[tok]),
        ("pre env",{"tag":"pre","text":f"API_KEY={hx}\nDEBUG=1"},[hx]),
        ("pre env sh",{"tag":"pre","text":f"export TOKEN={tok}\n"},[tok]),
        ("copy button",{"tag":"button","attributes":{"data-clipboard-text":jwt}},[jwt]),
        ("qrcode",{"tag":"img","attributes":{"src":"/qr?data="+quote("otpauth://totp/x?secret=JBSWY3DPEHPK3PXP",safe="")}},["JBSWY3DP"]),
        ("iframe src",{"tag":"iframe","attributes":{"src":f"https://x/embed#jwt={jwt}"}},[jwt]),
        ("link text",{"tag":"a","text":f"https://x/invite/{tok}"},[tok]),
        ("path share",f"https://x/magic-link/{tok}?x=1",[tok]),
        ("cookie attr order",{"cookie":f"HttpOnly; sid={tok}"},[tok]),
        ("cookie w quotes",'Cookie: sid="%s"; a=b'%tok,[tok]),
        ("cookie json val",{"cookies":{"cart":json.dumps({"id":"c1"})}},["c1"]),
        ("cookie list objs",{"cookies":[{"name":"a","value":"short"}]},["short"]),
        ("storage snap",{"localStorage":{"theme":"dark","u":'{"id":7}'}},["dark"]),
        ("storage list",{"sessionStorage":[{"key":"k","value":"vvv"}]},["vvv"]),
        ("indexed",{"storage":{"localStorage":{"authorization":"abc"}}},["abc"]),
        ("ws binary",{"data":b"\x00\x01token="+tok.encode()+b"\xff"},[tok]),
        ("bytes latin",b"\xff\xfe password=hunter22 ",["hunter22"]),
        ("protobufish",{"data":"\n\x0fpassword\x12\x0b"+pw},[]),
        ("grpc json",{"data":"\x00\x00\x00\x00\x20"+json.dumps({"sessionToken":tok})},[tok]),
        ("sockjs",'a["{\\"token\\":\\"%s\\"}"]'%tok,[tok]),
        ("ws auth string",f"AUTH {tok}",[]),
        ("redis cmd",f"AUTH default {pw}",[]),
        ("sql",f"INSERT INTO users (name, password) VALUES ('bob', '{pw}')",[pw]),
        ("sql2",f"ALTER USER bob WITH PASSWORD '{pw}'",[pw]),
        ("sql3","UPDATE u SET password_hash='$2b$12$"+tok+"abcdefghijklmnopqrstu' WHERE 1",[tok]),
        ("yaml list",f"tokens:\n  - {tok}\n",[tok]),
        ("yaml block",f"private_key: |\n  {tok}{tok}\n",[tok]),
        ("toml",f'api_token = "{tok}"',[tok]),
        ("props",f"spring.datasource.password={pw}",[pw]),
        ("docker json",'{"auths":{"r":{"auth":"%s"}}}'%base64.b64encode(b"bob:hunter2222").decode(),[base64.b64encode(b"bob:hunter2222").decode()]),
        ("terraform",f'variable "db_password" {{ default = "{pw}" }}',[pw]),
        ("graphql hash",f'{{ me(token: "{tok}") {{ id }} }}',[tok]),
        ("headers raw","GET / HTTP/1.1\r\nauthorization: token "+hx+"\r\n",[hx]),
        ("x-header",'"x-csrf-token":"'+tok+'"',[tok]),
        ("prefixed key",{"x_my_service_api_key_v2":hx},[hx]),
        ("plural",{"apiKeys":{"primary":hx,"secondary":tok}},[hx,tok]),
        ("typo",{"acess_token":tok},[tok]),
        ("pin code str",{"pinCode":"4821"},["4821"]),
        ("security answer",{"securityAnswer":"Fluffy99"},["Fluffy99"]),
        ("card exp",{"card":{"number":"4242424242424242","exp":"12/27","cvc":"123"}},["4242424242424242","123"]),
        ("iban",{"iban":"DE89370400440532013000"},[]),
        ("ssn",{"ssn":"078-05-1120"},["078-05"]),
        ("amount vs card","Paid 4242 4242 4242 4242 today",["4242 4242"]),
        ("last4","card ending 4242",[]),
        ("emoji",f"🔑 token: {tok}",[tok]),
        ("rtl",f"\u202etoken={tok}",[tok]),
        ("nbsp",f"password:\u00a0{pw}",[pw]),
        ("crlf inject",f"a\r\npassword={pw}\r\n",[pw]),
        ("key=val pipe",f"user=bob|password={pw}|x=1",[pw]),
        ("logfmt",f'level=info msg="login" password={pw} user=bob',[pw]),
        ("arrow",f"token -> {tok}",[tok]),
        ("paren",f"Token ({tok}) refreshed",[tok]),
        ("brackets",f"[token] {tok}",[]),
        ("no sep",f"Using API key {hx}",[hx]),
        ("no sep2",f"Session {uu} token {tok} created",[tok]),
        ("bearer only",f"Bearer {tok}",[tok]),
        ("bearer lower",f"sending bearer {hx}",[hx]),
        ("jwt in sentence",f"got {jwt}, ok",[jwt]),
        ("jwt cut",jwt[:45],[jwt[25:45]]),
        ("two in one",f"password=a1b2c3 token={tok}",["a1b2c3",tok]),
        ("deep esc",'\\\\\\"password\\\\\\":\\\\\\"%s\\\\\\"'%pw,[pw]),
        ("html in url",f"/x?h={quote('<input type=password value='+pw+'>',safe='')}",[quote(pw,safe="")]),
        ("json key order",'{"value":"%s","name":"api_key"}'%hx,[hx]),
        ("json cut key",'{"name":"api_key","value":"%s'%hx,[hx]),
        ("json cut start",'alue":"x","name":"password","value":"%s"},{"a":1}]'%pw,[pw]),
        ("har postdata text",{"postData":{"mimeType":"application/x-www-form-urlencoded","text":f"login=bob&passwd={pw}"}},[pw]),
    ]
    # fmt: on


def pieces(value: object) -> Iterator[str]:
    """Find every string in a body, keys and bytes included, and the spelling of every number."""
    if isinstance(value, dict):
        for pair in value.items():
            yield from pieces(list(pair))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from pieces(part)
    else:
        yield value.decode("latin-1") if isinstance(value, bytes) else str(value)


@pytest.mark.parametrize(("name", "body", "secrets"), [pytest.param(*case, id=case[0]) for case in first() + second()])
def test_an_odd_place_hides_its_secret_unless_it_is_accepted(name: str, body: object, secrets: list[str]) -> None:
    cleaned, _ = redact(body)

    leaked = [secret for secret in secrets for piece in pieces(cleaned) if secret in piece]
    assert (name in ACCEPTED) == bool(leaked), leaked
