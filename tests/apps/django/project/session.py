"""Makes a session of the user that tests give to the browser, and keeps a copy of it."""

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection


def keep_session(user: User) -> None:
    """Write the session and its copy."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE kept_session AS SELECT * FROM django_session")
