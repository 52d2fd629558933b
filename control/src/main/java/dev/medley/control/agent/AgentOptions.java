package dev.medley.control.agent;

import static dev.medley.base.ConfigException.check;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an agent: where it joins, how it is known, and where its worker listens.
 *
 * @param coordinator where to join; resolved anew at every try
 * @param credentials folder of this machine's certificate; null for plain text on loopback
 * @param token where the cluster's is found
 * @param name of the machine, for people
 * @param site where it stands; empty if unknown
 * @param bind address on which its worker listens; null for that by which the machine reaches the
 *     coordinator
 * @param advertise host that other workers reach this machine by; null for the address on which its
 *     worker listens, {@link dev.medley.base.Member#NOT_DIALLED} if they cannot
 * @param ports for the worker to listen on
 * @param folder for what is fetched and for logs
 * @param copies whether files are fetched although this machine sees them where they lie
 * @param stay when it ends by itself
 */
public record AgentOptions(
        InetSocketAddress coordinator,
        @Nullable Path credentials,
        TokenSource token,
        String name,
        String site,
        @Nullable String bind,
        @Nullable String advertise,
        PortRange ports,
        Path folder,
        boolean copies,
        Stay stay) {
    private static final int MOST_CHARACTERS = 1000;

    public AgentOptions {
        check(
                (name + site).chars().noneMatch(Character::isISOControl)
                        && name.length() + site.length() < MOST_CHARACTERS,
                "--name and --site: names of one line, %d characters at most, are needed",
                MOST_CHARACTERS);
        check(
                bind == null || credentials != null || isLoopback(bind),
                "a worker that listens on %s, beyond this machine, runs what a user's jar says:"
                        + " give --credentials (medley certs), or leave out --interface",
                bind);
    }

    /** When an agent ends by itself. */
    public enum Stay {
        /** Never: it waits for the next run. */
        RUN_AFTER_RUN,
        /** After one run, however that ended. */
        ONE_RUN,
        /** When a run is done or failed; one that broke off it waits for to be gone on with. */
        UNTIL_DONE
    }

    /** Where the join token of a cluster is found; looked at anew at every try. */
    @FunctionalInterface
    public interface TokenSource {
        /**
         * That of who listens there, null if there is none yet.
         *
         * @throws IOException if it cannot be used
         */
        @Nullable String at(InetSocketAddress coordinator) throws IOException;
    }

    /** An address in digits: nobody is asked for it. */
    private static boolean isLoopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /**
     * Ports that may be listened on.
     *
     * @param first 0 for any
     * @param last not below the first
     */
    public record PortRange(int first, int last) {
        /** Whatever the system gives. */
        public static final PortRange ANY = new PortRange(0, 0);

        public PortRange {
            check(
                    first >= 0 && last >= first && last < 65536 && (first > 0 || last == 0),
                    "ports %d-%d: from 1 to 65535, the lower one first",
                    first,
                    last);
        }
    }
}
