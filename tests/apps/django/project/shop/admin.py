"""What the administration shows of the shop."""

from django.contrib import admin

from shop.models import Item, Label, Size, Supplier

admin.site.register(Label)


@admin.register(Supplier)
class SupplierAdmin(admin.ModelAdmin):
    """Suppliers, which are searched for by name."""

    search_fields = ("name",)


class SizeInline(admin.TabularInline):
    """Sizes, one row each, below their item."""

    model = Size
    extra = 1


@admin.register(Item)
class ItemAdmin(admin.ModelAdmin):
    """Items."""

    list_display = ("name", "code", "kind", "amount", "available")
    list_filter = ("kind", "available")
    list_per_page = 250
    search_fields = ("name", "description")
    ordering = ("id",)
    autocomplete_fields = ("supplier",)
    filter_horizontal = ("labels",)
    inlines = (SizeInline,)
