package dev.medley.fleet.catalog;

import dev.medley.base.Json;
import dev.medley.fleet.learning.Knob;
import dev.medley.fleet.learning.LearnedExponents;
import dev.medley.fleet.learning.LearnedPolicy;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.index.IndexOptions;
import dev.medley.fleet.policy.index.IndexPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Makes the policy that was learnt, from the file in the repository. */
public final class LearnedPolicies {
    /** What learning chooses between. */
    public static final List<Knob> KNOBS = knobs();

    private static final String FILE = "/dev/medley/fleet/learned-exponents.json";

    private LearnedPolicies() {}

    private static List<Knob> knobs() {
        List<Knob> knobs = new ArrayList<>();
        for (double beta : new double[] {0, 0.03, 0.06, 0.1, 0.15, 0.25}) {
            knobs.add(new Knob(1, beta, 0));
            knobs.add(new Knob(1, beta, 0.05));
        }
        return List.copyOf(knobs);
    }

    /** The index of a knob. */
    public static Policy index(Knob knob) {
        return new IndexPolicy("index", new IndexOptions(knob.alpha(), knob.beta(), knob.stay()));
    }

    /** What was learnt, as it is in the repository. */
    public static LearnedExponents shipped() {
        try (InputStream in = LearnedPolicies.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is not there");
            }
            return Json.parse(in.readAllBytes(), LearnedExponents.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A policy of what was learnt. */
    public static Policy of(LearnedExponents learned) {
        return new LearnedPolicy(learned, LearnedPolicies::index);
    }
}
