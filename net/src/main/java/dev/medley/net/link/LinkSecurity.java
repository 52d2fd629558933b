package dev.medley.net.link;

import dev.medley.base.Member;
import dev.medley.net.tls.Credentials;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The links of a group that go over TLS, and this machine's credentials for them. All members of a
 * run have the same scope; since all see the same members, both ends of a link decide alike.
 *
 * @param scope which links
 * @param credentials of this machine; null exactly where no link is secured
 */
public record LinkSecurity(Scope scope, @Nullable Credentials credentials) {
    /** No link is secured: for the processes of one machine, or a network that is trusted. */
    public static final LinkSecurity NONE = new LinkSecurity(Scope.NONE, null);

    /** Which links. */
    public enum Scope {
        NONE,
        /** Those whose ends stand at different sites; members without a site stand together. */
        BETWEEN_SITES,
        ALL
    }

    public LinkSecurity {
        if ((scope == Scope.NONE) != (credentials == null)) {
            throw new IllegalArgumentException("credentials go with secured links, not " + scope);
        }
    }

    /** Links between sites are secured, those inside a site are plain. */
    public static LinkSecurity betweenSites(Credentials credentials) {
        return new LinkSecurity(Scope.BETWEEN_SITES, credentials);
    }

    /** All links are secured. */
    public static LinkSecurity all(Credentials credentials) {
        return new LinkSecurity(Scope.ALL, credentials);
    }

    /** Whether the link between these two is secured, whoever asks. */
    public boolean covers(Member one, Member other) {
        return switch (scope) {
            case NONE -> false;
            case BETWEEN_SITES -> !one.site().equals(other.site());
            case ALL -> true;
        };
    }

    /** Of this machine, where a link is secured. */
    Credentials required() {
        return Objects.requireNonNull(credentials);
    }
}
