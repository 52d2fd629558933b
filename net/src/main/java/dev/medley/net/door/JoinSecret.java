package dev.medley.net.door;

/**
 * A secret that lets a caller in, known to both sides.
 *
 * @param kind which secret it is, which decides what the caller may ask for
 * @param secret never sent; both sides prove that they know it
 */
public record JoinSecret(Kind kind, String secret) {
    /** Which secret. */
    public enum Kind {
        /** That of a run: its workers know it, from whoever started them. */
        RUN,
        /** The join token of a cluster: its agents know it. */
        CLUSTER
    }

    public JoinSecret {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("a secret is not empty");
        }
    }

    /** Of the workers of a run. */
    public static JoinSecret ofRun(String secret) {
        return new JoinSecret(Kind.RUN, secret);
    }

    /** Of the agents of a cluster. */
    public static JoinSecret ofCluster(String token) {
        return new JoinSecret(Kind.CLUSTER, token);
    }

    /** Without the secret: texts end up in logs. */
    @Override
    public String toString() {
        return "JoinSecret[" + kind + "]";
    }
}
