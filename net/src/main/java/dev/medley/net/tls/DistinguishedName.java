package dev.medley.net.tls;

import java.util.Locale;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** Reduces names in certificates to the part that people read. */
final class DistinguishedName {
    private DistinguishedName() {}

    /** The common name of a subject; all of it where there is none. */
    static String commonName(X500Principal subject) {
        try {
            for (Rdn part : new LdapName(subject.getName()).getRdns()) {
                if (part.getType().toUpperCase(Locale.ROOT).equals("CN")) {
                    return String.valueOf(part.getValue());
                }
            }
        } catch (InvalidNameException e) {
            // A name that cannot be taken apart is shown whole.
        }
        return subject.getName();
    }
}
