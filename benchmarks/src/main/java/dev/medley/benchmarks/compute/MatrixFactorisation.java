package dev.medley.benchmarks.compute;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.model.Network;
import java.util.List;

/**
 * Predicts ratings as the product of a user's and an item's factors plus a bias of each (Koren
 * 2009).
 */
final class MatrixFactorisation implements Network {
    private final Embedding users;
    private final Embedding items;
    private final Embedding userBias;
    private final Embedding itemBias;

    MatrixFactorisation(int users, int items, int width) {
        this.users = new Embedding(users, width);
        this.items = new Embedding(items, width);
        userBias = new Embedding(users, 1);
        itemBias = new Embedding(items, 1);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("u", users);
        declaration.layer("i", items);
        declaration.layer("bu", userBias);
        declaration.layer("bi", itemBias);
    }

    @Override
    public Tensor forward(List<Tensor> inputs, Pass pass) {
        Tensor user = inputs.get(0).select(1, 0);
        Tensor item = inputs.get(0).select(1, 1);
        Tensor product = users.forward(user, pass).times(items.forward(item, pass)).sum(1);
        return product.plus(userBias.forward(user, pass).squeeze(1))
                .plus(itemBias.forward(item, pass).squeeze(1));
    }
}
