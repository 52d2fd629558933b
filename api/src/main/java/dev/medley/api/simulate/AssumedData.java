package dev.medley.api.simulate;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.memory.ElementType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The assumed data of a job whose files are not here, so that the size of its model can be told.
 * They are what the job says of them, and for the rest what is usual for its model family.
 *
 * @param signature of a sample
 * @param samples to train on
 * @param sentence that says what was assumed
 */
record AssumedData(Signature signature, long samples, String sentence) {
    private static final long SAMPLES = 100_000;
    private static final int FEATURES = 32;
    private static final int COLUMNS = 8;
    private static final int PIXELS = 224;
    private static final int IDX_PIXELS = 28;
    private static final int CLASSES = 10;
    private static final int BYTES = 256;
    private static final int CHARACTERS = 96;
    private static final String PATTERN = ".*[*?{\\[].*";

    /** Whether a job's files are not here: a file or folder that it names does not exist. */
    static boolean isNeededFor(JobSpec job) {
        return job.data().train().stream()
                .anyMatch(entry -> !StoreUrl.isUrl(entry) && !exists(Path.of(entry)));
    }

    private static boolean exists(Path entry) {
        Path named = entry;
        while (named != null && named.toString().matches(PATTERN)) {
            named = named.getParent(); // A pattern is looked for in a folder.
        }
        return named == null || Files.exists(named);
    }

    /** What a job says of its data, and the rest assumed; a class of the user's cannot be. */
    static AssumedData of(JobSpec job) {
        String words;
        Signature signature;
        SeriesSpec series = job.data().series();
        if (series != null && job.data().label() != null) {
            int columns = series.targets().isEmpty() ? COLUMNS : series.targets().size();
            signature = numbers(List.of(series.lookBack(), columns + 1), target(job));
            words = "sequences of %d rows of %d columns".formatted(series.lookBack(), columns);
        } else if (series != null) {
            int columns = series.targets().isEmpty() ? COLUMNS : series.targets().size();
            signature =
                    new Signature(
                            windows(series, columns),
                            new Target(TargetKind.VALUES, series.horizon() * columns, List.of()));
            words = "windows of %d rows of %d columns".formatted(series.lookBack(), columns);
        } else if (job.model() instanceof ModelSpec.Transformer
                || job.model() instanceof ModelSpec.Recurrent) {
            signature = text(job.data().text());
            words =
                    "windows of %d tokens, %d different ones"
                            .formatted(job.data().text().context(), signature.target().outputs());
        } else if (job.model() instanceof ModelSpec.Custom
                || job.model() instanceof ModelSpec.TorchScript) {
            throw new ConfigException(
                    "%s is not here, and a model of your own takes what its data gives:"
                                    .formatted(job.data().train())
                            + " run it where the data is");
        } else if (job.model() instanceof ModelSpec.Cnn
                || job.model() instanceof ModelSpec.Resnet) {
            List<Integer> shape = image(job.data());
            signature = numbers(shape, target(job));
            words =
                    "images of %d x %d x %d, %s"
                            .formatted(
                                    shape.get(0),
                                    shape.get(1),
                                    shape.get(2),
                                    outputs(signature.target()));
        } else {
            signature = numbers(List.of(FEATURES), target(job));
            words = "%d numbers a sample, %s".formatted(FEATURES, outputs(signature.target()));
        }
        return new AssumedData(
                signature,
                SAMPLES,
                ("the data is not here (%s): assumed are %s, and %,d samples to train on; sizes of"
                                + " the model follow from that")
                        .formatted(String.join(", ", job.data().train()), words, SAMPLES));
    }

    private static Signature text(DataSpec.TextSpec text) {
        int tokens =
                switch (text.unit()) {
                    case BYTES -> BYTES;
                    case CHARACTERS -> CHARACTERS;
                    case BPE -> text.vocabulary();
                };
        return new Signature(
                List.of(
                        new Input(
                                "text",
                                ElementType.INT64,
                                List.of(text.context()),
                                List.of(tokens))),
                new Target(TargetKind.TOKENS, tokens, List.of()));
    }

    /** IDX files are as MNIST is published, unless the job says more; others are photographs. */
    private static List<Integer> image(DataSpec data) {
        boolean isIdx = data.format() == DataFormat.IDX;
        int side = isIdx ? IDX_PIXELS : PIXELS;
        int height = data.image().height() > 0 ? data.image().height() : side;
        int width = data.image().width() > 0 ? data.image().width() : side;
        return List.of(isIdx ? 1 : 3, height, width);
    }

    private static List<Input> windows(SeriesSpec series, int columns) {
        Input past = numbers(List.of(series.lookBack(), columns));
        int rows = series.lookBack() + series.horizon();
        return series.known().isEmpty()
                ? List.of(past)
                : List.of(past, numbers(List.of(rows, series.known().size())));
    }

    private static Signature numbers(List<Integer> shape, Target target) {
        return new Signature(List.of(numbers(shape)), target);
    }

    private static Input numbers(List<Integer> shape) {
        return new Input("assumed", ElementType.FLOAT32, shape, List.of());
    }

    private static Target target(JobSpec job) {
        LossKind loss = job.train().loss().kind();
        return switch (loss) {
            case MEAN_SQUARED_ERROR, POISSON -> new Target(TargetKind.VALUE, 1, List.of());
            case BINARY_CROSS_ENTROPY, HINGE, SQUARED_HINGE ->
                    new Target(TargetKind.BINARY, 1, List.of());
            case AUTO, CROSS_ENTROPY, CUSTOM -> new Target(TargetKind.CLASSES, CLASSES, List.of());
        };
    }

    private static String outputs(Target target) {
        return switch (target.kind()) {
            case VALUE, VALUES -> "a number to predict";
            case GRADE -> "a grade to rank by";
            case BINARY -> "two classes";
            case NONE -> "no label";
            case CLASSES, TOKENS -> "%d classes".formatted(target.outputs());
        };
    }
}
