package dev.medley.training.worker;

import dev.medley.store.model.ModelFolder;
import dev.medley.tensor.model.Replica;
import java.nio.file.Path;

/** Begins with the parameters of a trained model. */
final class InitialModel {
    private InitialModel() {}

    /** Takes the parameters over; a model of other shapes is the user's error. */
    static void load(Path folder, Replica replica) {
        replica.load(ModelFolder.read(folder).weights());
    }
}
