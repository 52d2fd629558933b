package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.WorkerSettings;
import dev.medley.base.memory.NamedSpan;
import dev.medley.inference.pretrained.PretrainedModels;
import java.nio.file.Path;
import java.util.List;

/**
 * The parameters of a trained model, for a run to begin with.
 *
 * @param model absolute path of the model's folder
 * @param sha256 of its weights as they were when the run began
 */
public record InitialWeights(String model, String sha256) {

    /** The same model where it lies at {@code place}. */
    InitialWeights at(WorkerSettings place) {
        return new InitialWeights(place.path(model), sha256);
    }

    /**
     * The parameters. A worker that is started late must not begin with others than the first, so a
     * model that has changed since is the user's error, as is one of other shapes.
     */
    List<NamedSpan> read() {
        PretrainedModels.Beginning stored = PretrainedModels.toBeginWith(Path.of(model));
        ConfigException.check(
                stored.sha256().equals(sha256),
                "%s: the model has changed since the run began with it: its weights have SHA-256"
                        + " %s, not %s; put the former back, or train anew",
                model,
                stored.sha256(),
                sha256);
        return stored.weights();
    }
}
