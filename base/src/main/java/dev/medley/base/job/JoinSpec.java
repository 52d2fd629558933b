package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import org.jspecify.annotations.Nullable;

/**
 * The address at which a run waits for machines that agents offer, with its limits and credentials.
 *
 * @param listen HOST:PORT on which the coordinator accepts them; port 0 for any free one
 * @param timeoutNs longest wait until enough have joined
 * @param sendBytes most bytes of a prepared set, or of other files, that are sent to a machine
 *     which does not see them; a checkpoint is sent, however large
 * @param credentials folder of the coordinator's machine with its certificate and the join token;
 *     null where all listen on loopback only
 * @param tokenFile the join token, in place of that in the folder; null for that
 * @param encrypt which links between workers are encrypted
 * @param dataStore an object store ({@link StoreUrl}) over which the prepared set goes to machines
 *     that do not see it; null for none: it is sent
 * @param begin whether the first step waits for machines that take much longer to be ready
 */
public record JoinSpec(
        String listen,
        long timeoutNs,
        long sendBytes,
        @Nullable String credentials,
        @Nullable String tokenFile,
        Encrypt encrypt,
        @Nullable String dataStore,
        Begin begin) {
    /** With whom training begins, of the machines that are expected. */
    public enum Begin {
        /** With most of them, where the others take much longer to be ready; those join later. */
        MOST,
        /** With all of them. */
        ALL
    }

    /** Which links between workers are encrypted where machines have certificates. */
    public enum Encrypt {
        /** Those between sites: inside a site the network is one's own. */
        BETWEEN_SITES,
        ALL,
        NONE
    }

    private static final String DATA_STORE = "cluster.data_store";
    private static final long TIMEOUT_NS = 600_000_000_000L;
    private static final long SEND_BYTES = 4L << 30;

    public JoinSpec {
        int colon = listen.lastIndexOf(':');
        check(
                colon > 0 && isPort(listen.substring(colon + 1)),
                "cluster.listen=%s: HOST:PORT is needed, as in 0.0.0.0:7077",
                listen);
        String before = listen.substring(0, colon);
        check(
                before.contains(":") || before.contains("[") || before.contains("]")
                        ? before.matches("\\[[^\\[\\]]+\\]")
                        : !before.isBlank(),
                "cluster.listen=%s: HOST:PORT is needed, an IPv6 address in brackets, as in"
                        + " [::1]:7077",
                listen);
        check(timeoutNs > 0, "cluster.join_timeout=%d ns: above 0", timeoutNs);
        check(sendBytes >= 0, "cluster.send=%d bytes: 0 or more", sendBytes);
        if (dataStore != null) {
            StoreUrl unused = StoreUrl.of(DATA_STORE, dataStore);
        }
    }

    /** The object store for the prepared set; null for none. */
    public @Nullable StoreUrl depot() {
        return dataStore == null ? null : StoreUrl.of(DATA_STORE, dataStore);
    }

    /** At that address, with the usual patience: 10 minutes, 4 GiB. */
    public static JoinSpec at(String listen) {
        return new JoinSpec(
                listen,
                TIMEOUT_NS,
                SEND_BYTES,
                null,
                null,
                Encrypt.BETWEEN_SITES,
                null,
                Begin.MOST);
    }

    /** The same at another address. */
    public JoinSpec listeningAt(String address) {
        return new JoinSpec(
                address, timeoutNs, sendBytes, credentials, tokenFile, encrypt, dataStore, begin);
    }

    /** The same with the certificate and the token in that folder. */
    public JoinSpec withCredentials(String folder) {
        return new JoinSpec(
                listen, timeoutNs, sendBytes, folder, tokenFile, encrypt, dataStore, begin);
    }

    /** The same with other links encrypted. */
    public JoinSpec encrypting(Encrypt links) {
        return new JoinSpec(
                listen, timeoutNs, sendBytes, credentials, tokenFile, links, dataStore, begin);
    }

    /** The same with the join token in that file. */
    public JoinSpec withTokenFile(String file) {
        return new JoinSpec(
                listen, timeoutNs, sendBytes, credentials, file, encrypt, dataStore, begin);
    }

    /** The part before the port. */
    public String host() {
        String host = listen.substring(0, listen.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The port. */
    public int port() {
        return Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1));
    }

    private static boolean isPort(String text) {
        return text.matches("\\d{1,5}") && Integer.parseInt(text) < 65536;
    }
}
