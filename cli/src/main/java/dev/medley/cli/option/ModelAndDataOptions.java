package dev.medley.cli.option;

import dev.medley.api.TrainedModel;
import dev.medley.api.predict.Predictor;
import dev.medley.base.job.DataSpec;
import dev.medley.cli.terminal.Terminal;
import picocli.CommandLine.Parameters;

/** Holds the options of commands that use a trained model on data. */
public abstract class ModelAndDataOptions extends ModelOptions {
    @Parameters(
            index = "1",
            paramLabel = "DATA",
            description =
                    "A file or folder like those that the model was trained on; also"
                            + " s3://BUCKET/KEY.")
    private String data = "";

    /** Prints to {@code terminal}. */
    public ModelAndDataOptions(Terminal terminal) {
        super(terminal);
    }

    /** The data that was named, read as the model's own was. */
    protected final DataSpec data(TrainedModel model) {
        return Predictor.like(model, NamedData.here(data, terminal));
    }
}
