// Takes snapshots of a tab's memory, and compares with an earlier one: by the debugger where it may, else by the page.

import { Failure } from '../failure.ts';
import { letGo } from '../tabs/debugged_turns.ts';
import { type Attachment, attach } from '../tabs/debugger.ts';
import type { Gather, Page } from './analyze.ts';
import { type Counted, type Measured, snapshotOf, memorySnapshots as snapshots } from './memory_snapshots.ts';
import { askDocument, placeOf } from './page_calls.ts';

const GROUP = 'memory';
const MB = 1_000_000;

/** How large a heap may be, by scope, to be collected at leisure. A hunt for leaks measures again and again, and loads nothing. */
const MOST_MB: Record<string, number> = { snapshot: 20, compare: 20, regression: 60 };

type DetachedTree = { treeNode: ProtocolNode };
type ProtocolNode = { childNodeCount?: number; children?: ProtocolNode[] };

export const memory: Gather = async (page, { scope, name = '' }) => {
  const { document } = page;
  const measured: Measured = await askDocument(placeOf(page.tab, document), 'memory_evidence');
  const current = snapshotOf(measured, await counted(page, MOST_MB[String(scope)] ?? 0));
  if (scope === 'leak' || scope === 'regression') return { current };
  if (scope !== 'compare') {
    await snapshots.keep(page.tab.id, String(name), { ...current, document });
    return { current };
  }
  const baseline = await snapshots.find(page.tab.id, String(name));
  if (!baseline) throw unknownSnapshot(String(name), await snapshots.names(page.tab.id));
  return { current, baseline, is_other_document: baseline.document !== document };
};

/** Count by the debugger; undefined where Chrome does not allow it. */
async function counted({ tab }: Page, mostMB: number): Promise<Counted | undefined> {
  try {
    letGo(tab.id); // the debugger holds what the console has shown
    const attachment = await attach(tab);
    try {
      return await countedBy(attachment, mostMB);
    } finally {
      await attachment.release();
    }
  } catch {
    return undefined;
  }
}

/** Garbage is collected first. `mostMB`: the greatest heap for which that may take its time. */
async function countedBy(attachment: Attachment, mostMB: number): Promise<Counted> {
  const detachedTrees = async () => (await attachment.ask('DOM.getDetachedDomNodes')).detachedNodes ?? [];
  const heap = () => attachment.ask('Runtime.getHeapUsage');
  await attachment.ask('DOM.enable');
  let trees: DetachedTree[] = await detachedTrees();
  if ((await heap()).usedSize <= mostMB * MB) {
    await collectAllGarbage(attachment);
    trees = await detachedTrees();
  }
  await attachment.ask('DOM.disable');
  await attachment.ask('Performance.enable');
  const { metrics = [] } = await attachment.ask('Performance.getMetrics');
  await attachment.ask('Performance.disable');
  const { usedSize, totalSize } = await heap();
  const valueOf = (wanted: string) => metrics.find(({ name }: { name: string }) => name === wanted)?.value ?? null;
  return {
    detached: trees.reduce((sum, { treeNode }) => sum + sizeOf(treeNode), 0),
    listeners: valueOf('JSEventListeners'),
    heap: { used: usedSize, total: totalSize },
  };
}

/**
 * Ask for the objects of a class that nobody has: Chrome collects all garbage before it looks for them. The collection for
 * the detached trees spares what something on the stack seems to point to: documents that were left, 3 to 22 MB beside a
 * page of 2. This one spares one or two, in one renderer of ten. It looks at each object: 0.1 s for 2 MB, 3.8 s for 66,
 * during which the page stands still (measured).
 */
async function collectAllGarbage(attachment: Attachment) {
  const { result } = await attachment.ask('Runtime.evaluate', {
    expression: '(class {}).prototype',
    objectGroup: GROUP,
  });
  await attachment.ask('Runtime.queryObjects', { prototypeObjectId: result.objectId, objectGroup: GROUP });
  await attachment.ask('Runtime.releaseObjectGroup', { objectGroup: GROUP });
}

function sizeOf({ children = [] }: ProtocolNode): number {
  return children.reduce((sum, child) => sum + sizeOf(child), 1);
}

function unknownSnapshot(name: string, names: string[]) {
  const message = name
    ? `This tab has no memory snapshot ${JSON.stringify(name)}.`
    : 'This tab has no memory snapshot.';
  return new Failure('not_found', message, {
    details: { parameter: 'name', value: name, names },
    recovery: 'Take one before the steps to compare: analyze(action:"memory", scope:"snapshot").',
  });
}
