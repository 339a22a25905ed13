/**
 * Extension of Apple's "Developer ID" authority; the next one marks a certificate that signs
 * applications.
 */
const developerIdAuthority = 'certificate 1[field.1.2.840.113635.100.6.2.6] /* exists */';
const developerIdApplication = 'certificate leaf[field.1.2.840.113635.100.6.1.13] /* exists */';

/**
 * The designated requirement of code signed with the team's "Developer ID Application" certificate,
 * in the format of `codesign -d -r-`: a word that begins with a digit is quoted.
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
