import { allComponents, provideFluentDesignSystem } from '@fluentui/web-components';

provideFluentDesignSystem().register(allComponents);
document.body.innerHTML = `
<h1>Order</h1>
<fluent-text-field required>Name</fluent-text-field><fluent-text-field placeholder="Mail"></fluent-text-field><fluent-text-area>Notes</fluent-text-area><fluent-number-field value="3">Count</fluent-number-field><fluent-search>Find</fluent-search>
<fluent-checkbox checked>I agree</fluent-checkbox><fluent-switch>Wifi</fluent-switch><fluent-radio-group name="p"><label slot="label">Pay</label><fluent-radio value="a">Cash</fluent-radio><fluent-radio value="b">Card</fluent-radio></fluent-radio-group>
<fluent-slider aria-label="Volume" min="0" max="9"></fluent-slider><fluent-select aria-label="Country"><fluent-option>Austria</fluent-option><fluent-option>Belgium</fluent-option></fluent-select><fluent-combobox aria-label="Town"><fluent-option>Rome</fluent-option></fluent-combobox><fluent-listbox aria-label="List"><fluent-option>One</fluent-option><fluent-option selected>Two</fluent-option></fluent-listbox>
<fluent-button appearance="accent">Save</fluent-button><fluent-button disabled>Off</fluent-button><fluent-button aria-label="Close">x</fluent-button><fluent-anchor href="/x">Link</fluent-anchor>
<fluent-tabs><fluent-tab>One</fluent-tab><fluent-tab>Two</fluent-tab><fluent-tab-panel>First</fluent-tab-panel><fluent-tab-panel>Second</fluent-tab-panel></fluent-tabs>
<fluent-accordion><fluent-accordion-item><span slot="heading">More</span>Text</fluent-accordion-item></fluent-accordion>
<fluent-menu><fluent-menu-item>Cut</fluent-menu-item><fluent-menu-item role="menuitemcheckbox" checked>Wrap</fluent-menu-item></fluent-menu>
<fluent-tree-view><fluent-tree-item expanded>Root<fluent-tree-item>Leaf</fluent-tree-item></fluent-tree-item></fluent-tree-view>
<fluent-breadcrumb><fluent-breadcrumb-item href="/">Home</fluent-breadcrumb-item><fluent-breadcrumb-item>Here</fluent-breadcrumb-item></fluent-breadcrumb>`;
