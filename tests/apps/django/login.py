"""Tasks of logging in and out: the answer to a login takes 0.8 s."""

from apps.django.state import LOGGED_IN, PASSWORD, USER, log_in, log_out, table
from apps.ours import Ours
from apps.tasks import Day
from apps.truths import page

DAY = Day()
LOGIN = "admin/login/?next=/admin/"

WRONG = (
    "Please enter the correct username and password for a staff account. Note that both fields may be case-sensitive."
)

logged_in = table(
    "SELECT count(*) FROM auth_user WHERE last_login IS NOT NULL",
    lambda found: "logged in" if found[0][0] else "refused",
)
sessions = table(
    "SELECT count(*) FROM django_session JOIN kept_session USING (session_key)",
    lambda found: "logged in" if found[0][0] else "logged out",
)


@DAY.task(LOGIN, logged_in, "logged in", prepare=log_out)
async def log_in_with_the_form(my: Ours) -> str:
    """Log in."""
    fields = [{"selector": "label=Username:", "value": USER}, {"selector": "label=Password:", "value": PASSWORD}]
    reply = await my.act("fill_form", fields=fields, submit=True)
    return "refused" if "Log in" in await my.title(reply) else "logged in"


@DAY.task(LOGIN, page("document.querySelector('.errornote')?.innerText.trim() ?? ''"), WRONG, prepare=log_out)
async def log_in_with_a_wrong_password(my: Ours) -> str:
    """Find out that a password is wrong, and why."""
    fields = [{"selector": "#id_username", "value": USER}, {"selector": "#id_password", "value": "wrong password"}]
    await my.act("fill_form", fields=fields, submit=True)
    return (await my.read(".errornote")).strip()


@DAY.task(LOGIN, logged_in, "logged in", prepare=log_out)
async def log_in_by_click(my: Ours) -> str:
    """Log in by typing and a click."""
    await my.type("#id_username", USER)
    await my.type("#id_password", PASSWORD)
    await my.click('role=button[name="Log in"]')
    return "refused" if "Log in" in await my.title() else "logged in"


@DAY.task(LOGIN, logged_in, "logged in", prepare=log_out)
async def log_in_by_enter(my: Ours) -> str:
    """Log in with the Enter key."""
    await my.type("#id_username", USER)
    await my.type("#id_password", PASSWORD)
    reply = await my.press("Enter", "#id_password")
    return "refused" if "Log in" in await my.title(reply) else "logged in"


@DAY.task("admin/", sessions, "logged out", prepare=log_in, ready=LOGGED_IN)
async def log_out_by_the_button(my: Ours) -> str:
    """Log out."""
    await my.click("text=Log out")
    return "logged out"
