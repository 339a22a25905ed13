/** Marks Apple's "Developer ID" authority, and below it a certificate that signs applications. */
const developerIdAuthority = 'certificate 1[field.1.2.840.113635.100.6.2.6] /* exists */';
const developerIdApplication = 'certificate leaf[field.1.2.840.113635.100.6.1.13] /* exists */';

/**
 * The designated requirement of code that is signed with the team's "Developer ID Application"
 * certificate, as `codesign -d -r-` prints it: a word that begins with a digit stands in quotes.
 */
export function codeRequirement(identifier: string, teamId: string): string {
  const team = /^\d/.test(teamId) ? `"${teamId}"` : teamId;
  return [
    `identifier "${identifier}"`,
    'anchor apple generic',
    developerIdAuthority,
    developerIdApplication,
    `certificate leaf[subject.OU] = ${team}`,
  ].join(' and ');
}
