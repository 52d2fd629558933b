package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import java.util.ArrayList;
import java.util.List;

/** Groups of made-up members. */
final class Groups {
    private Groups() {}

    static Group of(int epoch, int workers) {
        List<Member> members = new ArrayList<>();
        for (int i = 1; i <= workers; i++) {
            members.add(
                    new Member(
                            new WorkerId(i),
                            "host",
                            Member.NO_SITE,
                            "127.0.0.1",
                            1000 + i,
                            "kernels"));
        }
        return new Group(epoch, members);
    }
}
