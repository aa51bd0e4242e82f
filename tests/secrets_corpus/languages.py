# ruff: noqa: E501 - words as their languages spell them
"""What login forms of 44 languages call a password, and how a page shows a value beside such a label."""

import html
import json

from secrets_corpus.wrappings import Wrap

PASSWORD = {
    "ar": "كلمة المرور", "bg": "Парола", "bn": "পাসওয়ার্ড", "ca": "Contrasenya", "cs": "Heslo", "cy": "Cyfrinair", "da": "Adgangskode",
    "de": "Kennwort", "el": "Κωδικός πρόσβασης", "es": "Contraseña", "et": "Parool", "eu": "Pasahitza", "fa": "رمز عبور",
    "fi": "Salasana", "fr": "Mot de passe", "ga": "Pasfhocal", "gl": "Contrasinal", "he": "סיסמה", "hi": "पासवर्ड", "hr": "Lozinka",
    "hu": "Jelszó", "id": "Kata sandi", "is": "Lykilorð", "it": "Parola d'ordine", "ja": "パスワード", "ka": "პაროლი", "ko": "비밀번호",
    "lt": "Slaptažodis", "lv": "Parole", "ms": "Kata laluan", "nb": "Passord", "nl": "Wachtwoord", "pl": "Hasło", "pt": "Senha",
    "pt-PT": "Palavra-passe", "ro": "Parolă", "ru": "Пароль", "sk": "Heslo", "sl": "Geslo", "sq": "Fjalëkalimi", "sr": "Лозинка",
    "sv": "Lösenord", "th": "รหัสผ่าน", "tr": "Şifre", "uk": "Пароль", "ur": "پاس ورڈ", "vi": "Mật khẩu", "zh-CN": "密码", "zh-TW": "密碼",
}  # fmt: skip

LABELS: dict[str, Wrap] = {
    "colon": lambda n, s: f"{n}: {s}",
    "label-value": lambda n, s: {"label": n, "value": s},
    "key": lambda n, s: json.dumps({n: s}, ensure_ascii=False),
    "key-escaped": lambda n, s: json.dumps({n: s}),
    "html": lambda n, s: f'<label for="q">{html.escape(n)}</label><input id="q" value="{html.escape(s)}">',
    "placeholder": lambda n, s: {"tag": "input", "attributes": {"placeholder": n, "value": s}},
    "console": lambda n, s: {"args": [f"{n}:", s]},
    "outline": lambda n, s: f'- textbox "{n}": {s}',
    "newline": lambda n, s: f"{n}\n{s}",
}
"""How a page shows a value beside a label in any language."""
