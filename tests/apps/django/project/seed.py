"""Fills the shop: a user, suppliers, labels and 240 items."""

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402 - the models are there after the setup
from django.core.management import call_command  # noqa: E402
from session import keep_session  # noqa: E402
from shop.models import Item, Label, Supplier  # noqa: E402

KINDS = ("food", "drink", "tool")

call_command("migrate", run_syncdb=True, verbosity=0)
keep_session(User.objects.create_superuser("ann", "ann@example.org", "right password"))
Supplier.objects.bulk_create(Supplier(name=name) for name in ("Northern Mills", "River Dairy", "Southern Farms"))
Label.objects.bulk_create(Label(name=name) for name in ("organic", "local", "new", "frozen"))
Item.objects.bulk_create(
    Item(name=f"Item {number:03}", code=f"item-{number:03}", price=number, amount=number, kind=KINDS[number % 3])
    for number in range(240)
)
