package dev.medley.tensor.language;

/** Tells by its name what a parameter is to a pretrained model. */
public final class PretrainedParts {
    private PretrainedParts() {}

    /** Whether it is one of the two factors of an adapter. */
    public static boolean isAdapter(String parameter) {
        return parameter.endsWith(".lora_A") || parameter.endsWith(".lora_B");
    }

    /** Whether it belongs to a head, which fits other classes than those trained before. */
    public static boolean isHead(String parameter) {
        return parameter.startsWith("head.");
    }
}
