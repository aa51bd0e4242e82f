"""The applications, the lightest first."""

from pathlib import Path
from typing import Final

from apps.django import changing, keyboard, listing, login
from apps.django.serve import serve as serve_django
from apps.leaflet.day import DAY as LEAFLET
from apps.pages import pages
from apps.run import Application
from apps.swagger import executing, looking
from apps.swagger.serve import serve as serve_swagger
from apps.tasks import together

HERE: Final = Path(__file__).parent
_ALL: Final = (
    Application("django", "Django admin", serve_django, together(login.DAY, changing.DAY, listing.DAY, keyboard.DAY)),
    Application("swagger", "Swagger UI with FastAPI", serve_swagger, together(executing.DAY, looking.DAY)),
    Application("leaflet", "Leaflet", pages(HERE / "leaflet" / "project"), LEAFLET),
)
APPLICATIONS: Final = {application.name: application for application in _ALL}
