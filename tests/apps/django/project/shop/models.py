"""Suppliers, labels, and items with every kind of field and their sizes."""

from django.db import models


class Supplier(models.Model):
    """Whom an item comes from."""

    name = models.CharField(max_length=50, unique=True)

    def __str__(self) -> str:
        """Give its name."""
        return self.name


class Label(models.Model):
    """What an item is marked with."""

    name = models.CharField(max_length=50, unique=True)

    def __str__(self) -> str:
        """Give its name."""
        return self.name


class Item(models.Model):
    """What is sold."""

    name = models.CharField(max_length=50)
    code = models.SlugField(unique=True)
    description = models.TextField(blank=True)
    amount = models.PositiveIntegerField(default=0)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    available = models.BooleanField(default=False)
    kind = models.CharField(max_length=10, choices=[("food", "Food"), ("drink", "Drink"), ("tool", "Tool")])
    added = models.DateField(null=True, blank=True)
    opens = models.TimeField(null=True, blank=True)
    supplier = models.ForeignKey(Supplier, models.SET_NULL, null=True, blank=True)
    labels = models.ManyToManyField(Label, blank=True)
    manual = models.FileField(upload_to="manuals", blank=True)
    link = models.URLField(blank=True)
    details = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        """Give its name."""
        return self.name


class Size(models.Model):
    """A size that an item is sold in."""

    item = models.ForeignKey(Item, models.CASCADE)
    name = models.CharField(max_length=20)
    grams = models.PositiveIntegerField()

    def __str__(self) -> str:
        """Give its name."""
        return self.name
