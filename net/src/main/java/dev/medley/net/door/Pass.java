package dev.medley.net.door;

/**
 * A secret that lets a caller in, known to both sides.
 *
 * @param kind which secret it is, which decides what the caller may ask for
 * @param secret never sent; both sides prove that they know it
 */
public record Pass(Kind kind, String secret) {
    /** Which secret. */
    public enum Kind {
        /** That of a run: its workers know it, from whoever started them. */
        RUN,
        /** The join token of a cluster: its agents know it. */
        CLUSTER
    }

    public Pass {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("a secret is not empty");
        }
    }

    /** Of the workers of a run. */
    public static Pass ofRun(String secret) {
        return new Pass(Kind.RUN, secret);
    }

    /** Of the agents of a cluster. */
    public static Pass ofCluster(String token) {
        return new Pass(Kind.CLUSTER, token);
    }

    /** Without the secret: texts end up in logs. */
    @Override
    public String toString() {
        return "Pass[" + kind + "]";
    }
}
