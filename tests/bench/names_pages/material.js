import '@material/web/all.js';

document.body.innerHTML = `
<h1>Order</h1>
<md-outlined-text-field label="Name" required></md-outlined-text-field>
<md-filled-text-field label="Mail" type="email" supporting-text="Work address"></md-filled-text-field>
<md-outlined-text-field label="Notes" type="textarea"></md-outlined-text-field>
<label><md-checkbox touch-target="wrapper"></md-checkbox> I agree</label>
<md-checkbox aria-label="Alone" checked></md-checkbox>
<md-switch aria-label="Wifi"></md-switch>
<label>Bluetooth <md-switch selected></md-switch></label>
<div role="radiogroup" aria-label="Pay"><md-radio id="cash" name="pay" aria-label="Cash"></md-radio><md-radio id="card" name="pay"></md-radio><label for="card">Card</label></div>
<md-slider aria-label="Volume" value="30"></md-slider>
<md-outlined-select label="Country"><md-select-option value="a"><div slot="headline">Austria</div></md-select-option><md-select-option value="b" selected><div slot="headline">Belgium</div></md-select-option></md-outlined-select>
<md-filled-button>Save <svg slot="icon" viewBox="0 0 1 1"></svg></md-filled-button>
<md-outlined-button disabled>Off</md-outlined-button>
<md-text-button href="/x">A link</md-text-button>
<md-icon-button aria-label="Close"><span>x</span></md-icon-button>
<md-fab label="Add" aria-label="Add"></md-fab>
<md-chip-set aria-label="Filters"><md-filter-chip label="New" removable></md-filter-chip><md-assist-chip label="Help"></md-assist-chip><md-input-chip label="Tag"></md-input-chip></md-chip-set>
<md-tabs><md-primary-tab>One</md-primary-tab><md-primary-tab aria-label="Second">Two</md-primary-tab></md-tabs>
<md-list><md-list-item type="button">Row <div slot="supporting-text">more</div></md-list-item><md-list-item type="link" href="/y">Linked</md-list-item></md-list>
<md-dialog><div slot="headline">Really?</div><form slot="content" method="dialog" id="f">All goes.</form><div slot="actions"><md-text-button form="f">No</md-text-button><md-text-button form="f">Yes</md-text-button></div></md-dialog>`;
