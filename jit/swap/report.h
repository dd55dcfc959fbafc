// What is told of sites and regions.
//
// Must not know: how it came to that.
#pragma once

#include "jit/swap/profile.h"
#include "jit/swap/situation.h"

namespace sinter::jit {

/// Of all sites that were met since the report was cleared.
Report report_on(const Profile& profile, const Situation& situation, const ReportOptions& options);
void clear_report(Profile& profile);

} // namespace sinter::jit
