"""The addresses: the administration, and one slow page of our own."""

from django.contrib import admin
from django.urls import path
from shop.report import report

urlpatterns = [path("admin/report/", admin.site.admin_view(report)), path("admin/", admin.site.urls)]
