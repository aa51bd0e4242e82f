// Recognizes ids that a library generates anew at each load: they find no element again.
//
// tests/wire/generated-ids.json has samples, which pin this to its counterpart in Python.

const LIBRARIES =
  'bits|cdk|chakra|downshift|ember|ext-gen|floating-ui|headlessui|mantine|mat|melt|mui|radix|react-aria|reka';

const GENERATED = [
  /:[rR][0-9a-z]+(?:H\d+)?:/, // React 18's useId
  /«[rR]?\w+»|(?:^|[^a-z])_[rR]_\w+_/, // React 19.0, 19.1
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, // a UUID
  /^[\w+/-]{6,}={1,2}$/, // random bytes in Base64
  new RegExp(`^(?:${LIBRARIES})-?(?:[a-z]+-)*\\w*\\d\\w*`),
];

export function isGenerated(id: string): boolean {
  return GENERATED.some((pattern) => pattern.test(id));
}
