package dev.medley.store.dataset;

import dev.medley.base.Cursor;
import java.util.ArrayList;
import java.util.List;

/**
 * Whose samples an epoch has taken and takes, where samples have a place: a section for each plan
 * of the epoch. Part of the state of a run, equal on all members: from it each knows which sample
 * stands at any position of the epoch, also at those that were taken under an earlier plan.
 *
 * @param epoch from 0
 * @param sections in order of positions; the first is from position 0
 */
public record PlacedEpoch(long epoch, List<Section> sections) {
    /**
     * A stretch of positions that are cut and placed alike.
     *
     * @param from first position, at which a step begins; the stretch ends where the next begins
     * @param shares samples of each rank in a step
     * @param owners rank that keeps each shard
     */
    public record Section(long from, List<Integer> shares, List<Integer> owners) {
        public Section {
            shares = List.copyOf(shares);
            owners = List.copyOf(owners);
        }

        Section at(long position) {
            return new Section(position, shares, owners);
        }
    }

    public PlacedEpoch {
        sections = List.copyOf(sections);
        if (sections.isEmpty() || sections.get(0).from() != 0) {
            throw new IllegalArgumentException("an epoch placed from its beginning: " + sections);
        }
    }

    /**
     * The same with another cut from a cursor on, behind which nothing was taken; what was said of
     * positions behind it is void.
     */
    public PlacedEpoch from(Cursor cursor, List<Integer> shares, List<Integer> owners) {
        List<Section> next = new ArrayList<>(of(cursor.epoch()).sections());
        next.removeIf(section -> section.from() >= cursor.position());
        next.add(new Section(cursor.position(), shares, owners));
        return new PlacedEpoch(cursor.epoch(), next);
    }

    /** This epoch, or a later one, which goes on with the last section. */
    public PlacedEpoch of(long wanted) {
        if (wanted < epoch) {
            throw new IllegalArgumentException(
                    "epoch %d is over; known is epoch %d".formatted(wanted, epoch));
        }
        Section last = sections.get(sections.size() - 1);
        return wanted == epoch ? this : new PlacedEpoch(wanted, List.of(last.at(0)));
    }
}
