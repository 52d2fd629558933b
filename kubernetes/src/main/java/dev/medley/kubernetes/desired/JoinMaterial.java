package dev.medley.kubernetes.desired;

/**
 * Holds what a job's pods join each other with.
 *
 * @param identity key and certificates, as a machine's folder has them, Base64
 * @param token of this job alone, Base64
 */
public record JoinMaterial(String identity, String token) {
    /** Without its contents: texts end up in logs. */
    @Override
    public String toString() {
        return "JoinMaterial[...]";
    }
}
