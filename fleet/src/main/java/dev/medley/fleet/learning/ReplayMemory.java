package dev.medley.fleet.learning;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Holds the newest transitions, from which batches are drawn with replacement. */
final class ReplayMemory {
    private final int capacity;
    private final List<Transition> kept = new ArrayList<>();
    private int next;

    ReplayMemory(int capacity) {
        this.capacity = capacity;
    }

    void add(Transition transition) {
        if (kept.size() < capacity) {
            kept.add(transition);
        } else {
            kept.set(next, transition);
        }
        next = (next + 1) % capacity;
    }

    int size() {
        return kept.size();
    }

    List<Transition> draw(int count, RandomGenerator random) {
        List<Transition> drawn = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            drawn.add(kept.get(random.nextInt(kept.size())));
        }
        return drawn;
    }
}
