"""A user's day on a map of Leaflet: the keyboard, places on the map, the wheel, drags, layers and popups."""

from typing import Any

from apps.ours import Ours
from apps.tasks import Day
from apps.truths import page

DAY = Day(ready="document.readyState === 'complete' && map.getZoom() === 8")
MAP = "index.html"

zoom = page("map.getZoom()")
east = page("map.getCenter().lng > 8.05 ? 'east' : map.getCenter().lng < 7.95 ? 'west' : 'where it was'")
popup = page("document.querySelector('.leaflet-popup-content')?.innerText ?? ''")

opened_and_text = page("[opened, document.querySelector('.leaflet-popup-content')?.innerText ?? '']")


@DAY.task(MAP, zoom, 9)
async def zoom_in_by_the_button(my: Ours) -> int:
    """Click the plus sign."""
    await my.click('role=button[name="Zoom in"]')
    return 9


@DAY.task(MAP, zoom, 9)
async def zoom_in_by_a_key(my: Ours) -> int:
    """Press + on the map."""
    await my.press("+", "#map")
    return 9


@DAY.task(MAP, east, "east")
async def go_east_by_the_arrow_key(my: Ours) -> str:
    """Press ArrowRight on the map."""
    await my.press("ArrowRight", "#map")
    return "east"


@DAY.task(MAP, east, "east")
async def go_east_by_the_arrow_key_after_a_focus(my: Ours) -> str:
    """Focus the map, then press ArrowRight three times."""
    await my.act("focus", "#map")
    for _ in range(3):
        await my.press("ArrowRight")
    return "east"


@DAY.task(MAP, page("map.getZoom() > 8 ? 'nearer' : 'as it was'"), "nearer")
async def zoom_in_by_the_wheel(my: Ours) -> str:
    """Turn the wheel over the map: how far it zooms is the map's own measure."""
    await my.wheel("#map", -120)
    return "nearer"


@DAY.task(MAP, zoom, 9)
async def zoom_in_by_a_double_click(my: Ours) -> int:
    """Double click on the map."""
    await my.double_click("#map", x=300, y=200)
    return 9


@DAY.task(MAP, popup)
async def ask_what_is_at_a_place(my: Ours) -> str:
    """Click at a place of the map, and read what it shows."""
    await my.click_at("#map", 300, 200)
    return await my.read(".leaflet-popup-content")


@DAY.task(MAP, east, "east")
async def drag_the_map(my: Ours) -> str:
    """Drag the map to the left."""
    await my.drag_by("#map", -300, 0)
    return "east"


@DAY.task(MAP, popup)
async def read_about_a_mill(my: Ours) -> str:
    """Click a marker, and read its popup."""
    await my.click('role=button[name="River mill"]')
    return await my.read(".leaflet-popup-content")


@DAY.task(MAP, popup)
async def read_about_a_mill_by_enter(my: Ours) -> str:
    """Press Enter on a marker, and read its popup."""
    await my.press("Enter", '[title="North mill"]')
    return await my.read(".leaflet-popup-content")


@DAY.task(MAP, opened_and_text, [1, ""])
async def close_a_popup_by_escape(my: Ours) -> list[Any]:
    """Open a popup, then press Escape."""
    await my.click('[title="North mill"]')
    await my.press("Escape", "#map")
    return [1, ""]


@DAY.task(MAP, opened_and_text, [1, ""])
async def close_a_popup_by_its_button(my: Ours) -> list[Any]:
    """Open a popup, then click its cross."""
    await my.click('[title="North mill"]')
    await my.click('role=button[name="Close popup"]')
    return [1, ""]


@DAY.task(MAP, page("[map.hasLayer(light), map.hasLayer(plain)]"), [False, True])
async def choose_another_layer(my: Ours) -> list[bool]:
    """Open the list of layers by the pointer, and choose one."""
    await my.act("hover", ".leaflet-control-layers")
    await my.click(".leaflet-control-layers >> label=Plain")
    return [False, True]


@DAY.task(MAP, page("map.hasLayer(fields)"), wanted=True)
async def add_a_layer(my: Ours) -> bool:
    """Open the list of layers by the pointer, and tick one."""
    await my.act("hover", ".leaflet-control-layers")
    await my.act("check", ".leaflet-control-layers >> label=Fields")
    return True


@DAY.task(MAP, page("markers['South mill'].getLatLng().lng > 7.7 ? 'moved' : 'where it was'"), "moved")
async def drag_a_marker(my: Ours) -> str:
    """Drag a marker to the right."""
    await my.drag_by('[title="South mill"]', 120, 0)
    return "moved"


@DAY.task(MAP, page("added.length"), 1)
async def add_a_marker_by_a_right_click(my: Ours) -> int:
    """Right click at a place of the map."""
    await my.right_click("#map", x=300, y=200)
    return 1


@DAY.task(MAP, page("Object.keys(markers)"))
async def list_the_mills(my: Ours) -> list[str]:
    """Name the markers by the list of what can be acted on."""
    rows = (await my.act("list_interactive")).get("elements", [])
    return [row.get("name", "") for row in rows if row.get("name", "").endswith(" mill")]
