package com.example;

import dev.medley.api.Adam;
import dev.medley.api.DataParallel;
import dev.medley.api.Dataset;
import dev.medley.api.Epochs;
import dev.medley.api.Models;
import dev.medley.api.TrainedModel;
import dev.medley.api.Trainer;
import java.nio.file.Path;

/** Tells two intertwined spirals apart, with two worker processes. */
public final class Spirals {
    private Spirals() {}

    /** Trains on spirals.csv in the current folder. */
    public static void main(String[] args) {
        Trainer trainer =
                Trainer.builder()
                        .model(Models.custom(SkipNetwork.class))
                        .strategy(DataParallel.workers(2))
                        .optimizer(Adam.of(1e-2))
                        .batch(32)
                        .build();
        Dataset points = Dataset.table(Path.of("spirals.csv")).label("arm");
        try (TrainedModel model = trainer.fit(points, Epochs.of(40))) {
            System.out.println(model.description().metrics() + " in " + model.folder());
        }
    }
}
