package dev.medley.kubernetes.desired;

/**
 * Holds what holds for all jobs that do not say otherwise.
 *
 * @param image of pods whose job names none
 * @param command that starts Medley in an image
 */
public record OperatorDefaults(String image, String command) {
    /** An image whose path has the command. */
    public static OperatorDefaults of(String image) {
        return new OperatorDefaults(image, "medley");
    }
}
