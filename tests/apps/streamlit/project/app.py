"""Orders of flour: one widget of each kind; what the script was last run with stands in `state.json`."""

import json
import os
import time
from pathlib import Path

import streamlit as st

DATA = Path(os.environ["ORDER_DATA"])
st.set_page_config(page_title="Orders")
st.title("Orders of flour")
name = st.text_input("Customer", "Ann")
kind = st.selectbox("Flour", ["white", "rye", "spelt"])
sacks = st.slider("Sacks", 0, 100, 10)
weight = st.number_input("Weight of a sack", 1, 50, 25)
express = st.checkbox("Express")
extras = st.multiselect("Extras", ["bran", "yeast", "salt"])
way = st.radio("Way", ["collected", "sent"])
notes = st.text_area("Notes")
day = st.date_input("Day", None)
upload = st.file_uploader("Recipe")
content = upload.getvalue() if upload else b""
st.download_button("Download the bill", f"{name}: {sacks} sacks", "bill.txt")
if st.button("Count"):
    st.session_state["counted"] = st.session_state.get("counted", 0) + 1
with st.form("address"):
    street = st.text_input("Street")
    sent = st.form_submit_button("Send")
if sent and not street:
    st.error("The street is missing")
elif sent:
    st.success(f"Sent to {street}")
if st.button("Grind"):
    time.sleep(2)
    st.session_state["ground"] = True
    st.write(f"Ground {sacks} sacks")
with st.expander("More"):
    st.write("The mill is closed on Sundays.")
first, second = st.tabs(["Day shift", "Night shift"])
first.write("Ann and Ben")
second.write("Cem and Dora")
st.dataframe({"sacks": list(range(50))})
state = {
    "name": name,
    "kind": kind,
    "sacks": sacks,
    "weight": weight,
    "express": express,
    "extras": extras,
    "way": way,
    "notes": notes,
    "day": str(day),
    "upload": [upload.name, len(content)] if upload else None,
    "counted": st.session_state.get("counted", 0),
    "street": street,
    "sent": sent,
    "ground": st.session_state.get("ground", False),
}
(DATA / "state.json").write_text(json.dumps(state))
st.caption(f"{name} orders {sacks} sacks of {kind}")
