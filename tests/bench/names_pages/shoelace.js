import '@shoelace-style/shoelace/dist/shoelace.js';

document.body.innerHTML = `
<h1>Order</h1>
<sl-input label="Name" required help-text="As in the passport"></sl-input>
<sl-input label="Secret" type="password" password-toggle></sl-input>
<sl-input label="Clear" value="x" clearable></sl-input>
<sl-input><span slot="label">Slotted <b>label</b></span></sl-input>
<sl-textarea label="Notes"></sl-textarea>
<sl-checkbox checked>I agree</sl-checkbox>
<sl-switch>Wifi</sl-switch>
<sl-radio-group label="Pay" value="1"><sl-radio value="1">Cash</sl-radio><sl-radio value="2">Card</sl-radio><sl-radio-button value="3">Later</sl-radio-button></sl-radio-group>
<sl-select label="Country" value="b"><sl-option value="a">Austria</sl-option><sl-option value="b">Belgium</sl-option></sl-select>
<sl-range label="Volume" min="0" max="10"></sl-range>
<sl-rating label="Stars"></sl-rating>
<sl-button>Save</sl-button><sl-button href="/x">Link</sl-button><sl-button disabled>Off</sl-button>
<sl-icon-button name="gear" label="Settings"></sl-icon-button>
<sl-dropdown open><sl-button slot="trigger" caret>More</sl-button><sl-menu><sl-menu-item>Cut</sl-menu-item><sl-menu-item type="checkbox" checked>Wrap</sl-menu-item></sl-menu></sl-dropdown>
<sl-tab-group><sl-tab slot="nav" panel="a">One</sl-tab><sl-tab slot="nav" panel="b" closable>Two</sl-tab><sl-tab-panel name="a">First</sl-tab-panel><sl-tab-panel name="b">Second</sl-tab-panel></sl-tab-group>
<sl-details summary="More to read">Text</sl-details>
<sl-tree><sl-tree-item expanded>Root<sl-tree-item>Leaf</sl-tree-item></sl-tree-item></sl-tree>
<sl-breadcrumb><sl-breadcrumb-item href="/">Home</sl-breadcrumb-item><sl-breadcrumb-item>Here</sl-breadcrumb-item></sl-breadcrumb>
<sl-tag removable>Tag</sl-tag><sl-color-picker label="Colour"></sl-color-picker>
<sl-alert open closable>Saved</sl-alert>`;
