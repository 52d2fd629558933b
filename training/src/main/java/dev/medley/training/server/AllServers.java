package dev.medley.training.server;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.round.Clocks;
import dev.medley.exchange.post.Letter;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.model.Replica;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.Part;
import java.util.List;
import java.util.stream.IntStream;

/** Makes all members servers, each of one shard; every worker pushes to all of them. */
final class AllServers implements Servers {
    private final Post post;
    private final ElementType type;
    private final List<Stretches.Stretch> shards;
    private final List<Stretches> parts;
    private final ShardServer own;

    /**
     * Servers of a group.
     *
     * @param weights of the shards by rank
     */
    AllServers(ServerSteps.Settings settings, Replica replica, Post post, List<Double> weights) {
        this.post = post;
        this.type = replica.layout().type();
        ParameterCut cut = ParameterCut.of(replica.layout().elements(), weights);
        this.shards =
                IntStream.range(0, post.size())
                        .mapToObj(rank -> new Stretches.Stretch(cut.from(rank), cut.to(rank)))
                        .toList();
        this.parts = shards.stream().map(shard -> new Stretches(List.of(shard), type)).toList();
        int rank = post.rank();
        this.own =
                new ShardServer(
                        settings.async(),
                        replica.shard(settings.optimizer(), cut.from(rank), cut.to(rank)),
                        type,
                        new Workers(post));
    }

    @Override
    public List<Integer> ranks() {
        return IntStream.range(0, post.size()).boxed().toList();
    }

    @Override
    public Stretches pushedTo(int rank) {
        return parts.get(rank);
    }

    @Override
    public void begin(Part part, Span parameters) {
        Clocks clocks = new Clocks(part.clocks(), part.batches());
        own.begin(part.step(), clocks, shards.get(post.rank()).of(parameters, type));
    }

    @Override
    public void received(int from, Letter letter) {
        own.pushed(from, letter);
    }

    @Override
    public boolean isDone() {
        return own.isDone();
    }

    @Override
    public int awaited() {
        return own.slowest();
    }

    @Override
    public void putChange(Span start, Span into) {
        Stretches.Stretch shard = shards.get(post.rank());
        Span change = shard.of(into, type);
        own.copyTo(change);
        Memory.difference(shard.of(start, type), change, 1, change, type);
    }

    @Override
    public void close() {
        own.close();
    }

    /** The workers of the group, who get their answers by letter. */
    private record Workers(Post post) implements ShardServer.Clients {
        @Override
        public int count() {
            return post.size();
        }

        @Override
        public boolean areSites() {
            return false;
        }

        @Override
        public void answer(int rank, Letter letter) {
            if (!post.offer(rank, letter)) {
                throw new IllegalStateException("rank " + rank + " pushed before it was answered");
            }
        }

        @Override
        public void done() {
            post.changed();
        }
    }
}
