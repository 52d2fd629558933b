package dev.medley.plan.policy;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import java.util.ArrayList;
import java.util.List;

/** Groups of made-up members. */
public final class Groups {
    private Groups() {}

    public static Group of(int epoch, int workers) {
        List<Member> members = new ArrayList<>();
        for (int i = 1; i <= workers; i++) {
            members.add(member(i, "host", Member.NO_SITE));
        }
        return new Group(epoch, members);
    }

    /** Members of the first group, each on a host of its own at this site. */
    public static Group at(String... sites) {
        List<Member> members = new ArrayList<>();
        for (String site : sites) {
            members.add(member(members.size() + 1, "host" + members.size(), site));
        }
        return new Group(1, members);
    }

    /** A machine of this type, whose memory is not known. */
    public static MachineKind kind(String type) {
        return new MachineKind(type, Long.MAX_VALUE);
    }

    private static Member member(int i, String host, String site) {
        return new Member(new WorkerId(i), host, site, "127.0.0.1", 1000 + i, "kernels");
    }
}
