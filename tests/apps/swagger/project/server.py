"""Notes and photos behind FastAPI, with Swagger UI's own page at /docs; it runs in the application's own environment.

What was done stands in `state.json`, which is written after every change.
"""

import asyncio
import json
import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Form, HTTPException, UploadFile
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse, Response
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel

DATA = Path(os.environ["NOTES_DATA"])
app = FastAPI(
    docs_url=None, title="Notes", servers=[{"url": "/"}, {"url": "http://127.0.0.1:9/", "description": "old"}]
)
app.mount("/assets", StaticFiles(directory=os.environ["SWAGGER_UI"]))
token = Annotated[str, Depends(OAuth2PasswordBearer(tokenUrl="token"))]
state: dict[str, Any] = {
    "notes": {"1": {"text": "Buy flour", "stars": 2}, "2": {"text": "Call the mill", "stars": 5}},
    "photos": [],
    "running": 0,
    "ordered": [],
    "asked_as": [],
}


class Note(BaseModel):
    """A note."""

    text: str
    stars: int = 0


class Order(StrEnum):
    """An order of notes."""

    NEWEST = "newest"
    OLDEST = "oldest"


def keep() -> None:
    """Write the state."""
    (DATA / "state.json").write_text(json.dumps(state))


keep()


@app.get("/docs", include_in_schema=False)
def docs() -> HTMLResponse:
    """Show Swagger UI, its files from here."""
    return get_swagger_ui_html(
        openapi_url="/openapi.json",
        title="Notes",
        swagger_js_url="/assets/swagger-ui-bundle.js",
        swagger_css_url="/assets/swagger-ui.css",
        swagger_favicon_url="/assets/favicon-32x32.png",
        swagger_ui_parameters={"filter": True, "deepLinking": True},
    )


@app.get("/notes", tags=["notes"], operation_id="list_notes")
def list_notes(order: Order = Order.NEWEST, *, starred: bool = False) -> list[Note]:
    """List the notes."""
    state["ordered"].append([order, starred])
    keep()
    return [Note(**note) for note in state["notes"].values()]


@app.post("/notes", tags=["notes"], operation_id="create_note", status_code=201)
def create_note(note: Note) -> Note:
    """Write a note."""
    state["notes"][str(len(state["notes"]) + 1)] = note.model_dump()
    keep()
    return note


@app.get("/notes/{number}", tags=["notes"], operation_id="read_note")
def read_note(number: str) -> Note:
    """Read a note."""
    if number not in state["notes"]:
        raise HTTPException(404, "There is no such note")
    return Note(**state["notes"][number])


@app.delete("/notes/{number}", tags=["notes"], operation_id="delete_note", status_code=204)
def delete_note(number: str) -> None:
    """Delete a note."""
    state["notes"].pop(number, None)
    keep()


@app.post("/photos", tags=["photos"], operation_id="add_photo")
async def add_photo(caption: Annotated[str, Form()], file: UploadFile) -> dict[str, str]:
    """Add a photo with its caption."""
    state["photos"].append([caption, file.filename, len(await file.read())])
    keep()
    return {"caption": caption}


@app.get("/slow", tags=["rest"], operation_id="slow")
async def slow(seconds: float = 1) -> str:
    """Answer later."""
    state["running"] += 1
    keep()
    try:
        await asyncio.sleep(seconds)
    finally:
        state["running"] -= 1
        keep()
    return f"waited {seconds:g} s"


@app.get("/broken", tags=["rest"], operation_id="broken")
def broken() -> None:
    """Fail."""
    raise HTTPException(500, "The oven is cold")


@app.get("/export", tags=["rest"], operation_id="export")
def export() -> Response:
    """Give the notes as a file."""
    headers = {"Content-Disposition": "attachment; filename=notes.zip"}
    return Response(b"PK\x05\x06" + bytes(18), media_type="application/zip", headers=headers)


@app.post("/token", include_in_schema=False)
def log_in(form: Annotated[OAuth2PasswordRequestForm, Depends()]) -> dict[str, str]:
    """Give a token for the right password."""
    if form.password != "right password":
        raise HTTPException(400, "Wrong password")
    return {"access_token": form.username, "token_type": "bearer"}


@app.get("/me", tags=["rest"], operation_id="me")
def me(user: token) -> str:
    """Name who asks."""
    state["asked_as"].append(user)
    keep()
    return user
