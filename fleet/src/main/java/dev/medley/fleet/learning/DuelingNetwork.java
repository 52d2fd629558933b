package dev.medley.fleet.learning;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.model.Network;
import java.util.List;

/**
 * Computes the value of each action in a state: two hidden layers, then the state's value plus the
 * action's advantage over the mean one (Wang et al., Dueling Network Architectures, 2016, eq. 9).
 */
final class DuelingNetwork implements Network {
    private final Linear first;
    private final Linear second;
    private final Linear value;
    private final Linear advantage;
    private final int actions;

    DuelingNetwork(int features, int width, int actions) {
        this.actions = actions;
        first = new Linear(features, width);
        second = new Linear(width, width);
        value = new Linear(width, 1);
        advantage = new Linear(width, actions);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("first", first);
        declaration.layer("second", second);
        declaration.layer("value", value);
        declaration.layer("advantage", advantage);
    }

    @Override
    public Tensor forward(List<Tensor> inputs, Pass pass) {
        Tensor hidden = Functional.relu(first.forward(inputs.get(0), pass));
        hidden = Functional.relu(second.forward(hidden, pass));
        Tensor advantages = advantage.forward(hidden, pass);
        Tensor mean = advantages.sum(1).reshape(-1, 1).times(1.0 / actions);
        return value.forward(hidden, pass).plus(advantages).minus(mean);
    }
}
