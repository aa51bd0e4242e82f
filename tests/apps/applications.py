"""The applications, the lightest first."""

from pathlib import Path
from typing import Final

from apps.django import changing, keyboard, listing, login
from apps.django.serve import serve as serve_django
from apps.jupyterlab.day import DAY as JUPYTERLAB
from apps.jupyterlab.serve import serve as serve_jupyterlab
from apps.kits.day import DAY as KITS
from apps.leaflet.day import DAY as LEAFLET
from apps.mkdocs.day import DAY as MKDOCS
from apps.mkdocs.serve import serve as serve_mkdocs
from apps.monaco.day import DAY as MONACO
from apps.nodered.day import DAY as NODERED
from apps.nodered.serve import serve as serve_nodered
from apps.pages import pages
from apps.run import Application
from apps.streamlit.day import DAY as STREAMLIT
from apps.streamlit.serve import serve as serve_streamlit
from apps.swagger import executing, looking
from apps.swagger.serve import serve as serve_swagger
from apps.tasks import together

HERE: Final = Path(__file__).parent
_ALL: Final = (
    Application("django", "Django admin", serve_django, together(login.DAY, changing.DAY, listing.DAY, keyboard.DAY)),
    Application("swagger", "Swagger UI with FastAPI", serve_swagger, together(executing.DAY, looking.DAY)),
    Application("leaflet", "Leaflet", pages(HERE / "leaflet" / "project"), LEAFLET),
    Application("kits", "Kits of controls", pages(HERE / "kits" / "project"), KITS),
    Application("monaco", "Monaco", pages(HERE / "monaco" / "project"), MONACO),
    Application("mkdocs", "mkdocs-material", serve_mkdocs, MKDOCS),
    Application("nodered", "Node-RED", serve_nodered, NODERED),
    Application("streamlit", "Streamlit", serve_streamlit, STREAMLIT),
    Application("jupyterlab", "JupyterLab", serve_jupyterlab, JUPYTERLAB),
)
APPLICATIONS: Final = {application.name: application for application in _ALL}
