package dev.medley.data.encoding;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import java.util.List;

/** Makes targets of the usual kinds: classes, or a number. */
public final class Targets {
    private Targets() {}

    /** One of these classes: binary for two, else one output a class. */
    public static Signature.Target ofClasses(List<String> classes) {
        return classes.size() == 2
                ? new Signature.Target(TargetKind.BINARY, 1, classes)
                : new Signature.Target(TargetKind.CLASSES, classes.size(), classes);
    }

    /** Nothing that samples hold. */
    public static Signature.Target none() {
        return new Signature.Target(TargetKind.NONE, 0, List.of());
    }

    /** A number of this mean and deviation over the training samples. */
    public static Signature.Target ofValue(double mean, double deviation) {
        return new Signature.Target(TargetKind.VALUE, 1, List.of(), mean, deviation);
    }
}
