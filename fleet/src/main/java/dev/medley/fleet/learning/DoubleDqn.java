package dev.medley.fleet.learning;

import dev.medley.base.Seeds;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Learns action values from transitions by double Q-learning with a target network (van Hasselt,
 * Guez, Silver: Deep Reinforcement Learning with Double Q-learning, 2016, eq. 4). The network that
 * learns is a replica of the tensor module; what acts is its copy in plain Java.
 *
 * <p>Belongs to one thread. The same seed and transitions give the same weights on machines whose
 * kernels are the same.
 */
final class DoubleDqn implements QLearner {
    private static final double LONGEST_GRADIENT = 10;

    private final DqnOptions options;
    private final int actions;
    private final Replica replica;
    private final Optimizer optimizer;
    private final ReplayMemory memory;
    private final RandomGenerator random;
    private ActionValues online;
    private ActionValues target;
    private long updates;

    DoubleDqn(DqnOptions options, int actions, long seed) {
        this.options = options;
        this.actions = actions;
        memory = new ReplayMemory(options.capacity());
        random = Seeds.generator(seed, 1);
        Signature signature =
                new Signature(
                        List.of(
                                new Input(
                                        "state",
                                        ElementType.FLOAT32,
                                        List.of(FleetFeatures.COUNT),
                                        List.of())),
                        new Target(TargetKind.VALUES, 2 * actions, List.of()));
        replica =
                Replica.of(
                        new DuelingNetwork(FleetFeatures.COUNT, options.width(), actions),
                        (outputs, truth) -> chosenError(outputs, truth, actions),
                        signature,
                        ReplicaOptions.of(seed, Precision.FP32));
        optimizer =
                replica.optimizer(
                        OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM)
                                .withLearningRate(options.learningRate()));
        online = values();
        target = online;
    }

    /** Squared error of the chosen actions: the target holds a value and a mask for each action. */
    private static Tensor chosenError(Tensor outputs, Tensor truth, int actions) {
        Tensor wanted = truth.narrow(1, 0, actions);
        Tensor mask = truth.narrow(1, actions, actions);
        Tensor error = outputs.minus(wanted).times(mask);
        return error.times(error).sum();
    }

    private ActionValues values() {
        return ActionValues.of(FleetFeatures.COUNT, options.width(), actions, replica.export());
    }

    @Override
    public int best(double[] state) {
        return online.best(state);
    }

    @Override
    public void take(Transition transition) {
        memory.add(transition);
        if (memory.size() >= options.batch() * 4) {
            update(memory.draw(options.batch(), random));
        }
    }

    private void update(List<Transition> drawn) {
        int count = drawn.size();
        HostArray states = HostArray.allocate(ElementType.FLOAT32, count, FleetFeatures.COUNT);
        HostArray wanted = HostArray.allocate(ElementType.FLOAT32, count, 2L * actions);
        FloatBuffer stateRows = states.data().buffer().asFloatBuffer();
        FloatBuffer wantedRows = wanted.data().buffer().asFloatBuffer();
        for (int row = 0; row < count; row++) {
            Transition transition = drawn.get(row);
            for (double number : transition.state()) {
                stateRows.put((float) number);
            }
            wantedRows.put(row * 2 * actions + transition.action(), (float) valueOf(transition));
            wantedRows.put(row * 2 * actions + actions + transition.action(), 1);
        }
        replica.zeroGradients();
        StepLoss loss =
                replica.forwardBackward(
                        new Batch(List.of(states), wanted, count), ++updates, ReadyListener.NONE);
        double length =
                Math.sqrt(replica.gradientSquaredNorm(optimizer.arithmetic())) / loss.weight();
        double scale = length > LONGEST_GRADIENT ? LONGEST_GRADIENT / length : 1;
        optimizer.apply(1, loss.weight(), scale);
        online = values();
        if (updates % options.targetEvery() == 0) {
            target = online;
        }
    }

    private double valueOf(Transition transition) {
        double[] next = transition.next();
        if (next == null) {
            return transition.reward();
        }
        return transition.reward() + transition.discount() * target.of(next)[online.best(next)];
    }

    @Override
    public StateActions learnt() {
        return StateActions.of(online);
    }

    @Override
    public void close() {
        optimizer.close();
        replica.close();
    }
}
