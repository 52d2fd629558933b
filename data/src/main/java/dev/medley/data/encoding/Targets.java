package dev.medley.data.encoding;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import java.util.List;

/** Makes targets of the usual kinds: classes, a number, or a grade. */
public final class Targets {
    private Targets() {}

    /** One of these classes: binary for two, else one output a class. */
    public static Signature.Target ofClasses(List<String> classes) {
        return classes.size() == 2
                ? new Signature.Target(TargetKind.BINARY, 1, classes)
                : new Signature.Target(TargetKind.CLASSES, classes.size(), classes);
    }

    /** The rate of counts of this mean and deviation over the training samples. */
    public static Signature.Target ofRate(double mean, double deviation) {
        return new Signature.Target(
                TargetKind.VALUE, 1, List.of(), mean, deviation, Signature.Link.LOG);
    }

    /** Nothing that samples hold. */
    public static Signature.Target none() {
        return new Signature.Target(TargetKind.NONE, 0, List.of());
    }

    /** A number of this mean and deviation over the training samples. */
    public static Signature.Target ofValue(double mean, double deviation) {
        return new Signature.Target(TargetKind.VALUE, 1, List.of(), mean, deviation);
    }

    /** A grade, by which rows are ranked. */
    public static Signature.Target ofGrade() {
        return new Signature.Target(TargetKind.GRADE, 1, List.of());
    }
}
