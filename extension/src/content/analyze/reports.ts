// Reads what Chrome has reported of a page: what its own policies blocked, and features of the browser that will go away.

import { isOwnSource } from '../../shared/own_source.ts';
import { clip } from '../dom/text.ts';
import { bareAddress } from './addresses.ts';

/** The interfaces of Reporting API 1, 4.1, CSP 3, 5.4 and Deprecation Reporting, 2.1, as far as they are read here. */
type Reported = {
  type: string;
  body: {
    sourceFile?: string | null;
    blockedURL?: string | null;
    effectiveDirective?: string;
    disposition?: string;
    id?: string;
    message?: string;
  } | null;
};

type Report = { kind: string; what: string; address: string };

const TYPES = ['csp-violation', 'deprecation'];

const REPORTS = 100;
const MESSAGE_CHARACTERS = 200;

/** Begin to collect the reports, also the earlier ones, which come within a task; the result ends it and gives them. */
export function collectReports(): () => Report[] {
  const reports: Reported[] = [];
  const keep = (more: unknown[]) => reports.push(...(more as Reported[]));
  const observer = new ReportingObserver(keep, { types: TYPES, buffered: true });
  observer.observe();
  return () => {
    keep(observer.takeRecords());
    observer.disconnect();
    return reports.filter(isFault).slice(0, REPORTS).map(reportOf);
  };
}

/** A policy that only reports blocks nothing. */
function isFault({ body }: Reported): boolean {
  return body !== null && body.disposition !== 'report';
}

function reportOf({ type, body }: Reported): Report {
  const { blockedURL, sourceFile, effectiveDirective, message } = body ?? {};
  if (type === 'deprecation') {
    const address = sourceFile && !isOwnSource(sourceFile) ? bareAddress(sourceFile) : '';
    return { kind: type, what: clip(message ?? '', MESSAGE_CHARACTERS), address };
  }
  const blocked = blockedURL ?? '';
  return { kind: type, what: effectiveDirective ?? '', address: bareAddress(blocked) || clip(blocked, 20) };
}
