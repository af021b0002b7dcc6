//! Turkish. Words that carry endings stand as [`STEMS`] where every ending keeps the sense; verbs stand in
//! full, since an ending denies, doubts or postpones.

use super::Role::{
    self, Absent, All, And, At, Be, But, Elsewhere, Except, Expected, Fail, Failures, Filler, Fine, Fixed, Goal, Good, If, Makes, Might,
    Name, No, Not, Now, Number, Old, Part, Pass, Past, Per, Plan, Run, Says, Since, They, Thing, Trouble, Troubled, Undone, Verify,
    Warnings, Was, Well, Who, Whole,
};
use crate::shell::gates::Gate::{Build, Format, Lint, Test, Typecheck};

pub(super) const STEMS: &super::Stems = &[(Role::Gate(Test), "testler")];

pub(super) const WORDS: &super::Words = &[
    (Role::Steps, "doğrulama adımları"),
    (Role::Remaining, "kalan"),
    (Role::Percent, "yüzde"),
    (Role::Gate(Test), "testin, test paketi, test takımı, test seti, test paketinin, birim testleri, entegrasyon testleri"),
    (Name(Test), "testi, testten, testte"),
    (Role::Gate(Lint), "lint kontrolü, lint denetimi, statik analiz, linter'ın"),
    (Role::Gate(Format), "biçimlendirme, biçim kontrolü, format kontrolü, biçimlendirme kontrolü, biçimlendirme denetimi"),
    (Role::Gate(Typecheck), "tip kontrolü, tip denetimi, tür kontrolü, tür denetimi, tip kontrolleri"),
    (Role::Gate(Build), "derleme, derlemesi, yapı, build'i, üretim derlemesi, build işlemi"),
    (Role::Checks, "kontroller, kontrollerin, denetimler, denetimlerin, doğrulamalar"),
    (Role::Everything, "her şey, herşey, hepsi birden"),
    (All, "tüm, bütün, hepsi, tamamı, her, ikisi de, her ikisi de, tümü, hep"),
    (Whole, "tam, komple"),
    (
        Part,
        "geri geri kalanı, bazı, çoğu, yeni, diğer, bu, birkaç, sadece, yalnızca, yarısı, neredeyse, benim, ilgili, etkilenen, eklediğim, \
         değişen, kimi",
    ),
    (
        Filler,
        "birleştirebilirsin, birleştirebilirsiniz, birleştirilebilir, artık, de, da, yine, hâlâ, hala, ayrıca, sorunsuzca, mevcut, \
         yerelde, yerel, bir, baştan sona, tekrar, sonunda, böylece, tamam, bitti, sonuç, özet, durum, birim, entegrasyon, ise, olarak, \
         toplam, tane, adet, gibi önceki, hatasız, hepsinin, eksiksiz",
    ),
    (They, "onlar, bunların"),
    (Thing, "proje, kod, program, uygulama, paket, crate, kütüphane"),
    (Who, "ben, biz, sen, siz"),
    (Be, "sonuçlandı, görünüyor, durumda, şekilde, raporluyor, bildiriyor, çıktı, tamamlandı"),
    (Was, "idi, vardı"),
    (
        Pass,
        "geçiyor, geçti, geçmiştir, geçmiş durumda, geçtiler, geçiyorlar, geçmekte, başarılı oldu, başarıyla geçti, başarıyla geçiyor, \
         başarıyla tamamlandı",
    ),
    (
        Good,
        "artık başarısız olmuyor, artık kırılmıyor, başarılı, yeşil, temiz, hatasız geçti, hatasız tamamlandı, hatasız bitti, \
         hatasız sonuçlandı, başarılıdır, temizdir, yeşilde, başarıyla, sorunsuz geçiyor",
    ),
    (Fine, "iyi, sorunsuz, tamamdır"),
    (Makes(Build), "derleniyor, derlendi, derlenmektedir"),
    (Well, "temiz bir şekilde, sorunsuz bir şekilde"),
    (No, "sıfır"),
    (Absent, "yok, yoktur, vermiyor, bulunmuyor, bulunmadı, kalmadı, bildirmiyor, göstermiyor, bulamadı, raporlamıyor"),
    (Trouble, "hata, hatası, hatalar, hataları, sorun, sorunu, sorunlar, problem, ihlal, ihlali"),
    (Troubled(Typecheck), "tip hatası, tip hataları, tür hatası, tür hataları"),
    (Troubled(Build), "derleme hatası, derleme hataları"),
    (Warnings, "uyarı, uyarısı, uyarılar"),
    (Failures, "başarısızlık"),
    (
        Not,
        "hayır, bazen, ara sıra, zaman zaman, kimi zaman, değil, değildir, hiçbir, hiç, asla, ne, imkansız, henüz, emin değilim, bilmiyorum, \
         olmadı",
    ),
    (
        Might,
        "tuhaf, garip, şüpheli, ilginç, olmalı, geçmeli, gerek, gerekiyor, gerekir, lazım, olabilir, geçebilir, olacak, geçecek, \
         muhtemelen, belki, sanırım, umarım, galiba, herhalde, büyük ihtimalle, olması, lütfen, çalışacağım, edeceğim, beklenir, \
         bekliyorum, teoride, bakalım",
    ),
    (
        If,
        "eğer, olursa, geçerse, ise eğer, olur olmaz, geçince, olunca, geçtiğinde, olduğunda, geçene kadar, olana kadar, kadar, sürece, \
         şartıyla, koşuluyla, mi, mı, mu, mü, geçtikten, olduktan, takdirde, geçip geçmediğini, olup olmadığını, yoksa",
    ),
    (
        Plan,
        "için, diye, emin ol, emin olun, emin olmak, sağlamak, sağla, gerektirir, gerektiriyor, sonraki adım, olsun, geçsin, edeyim, \
         edelim, bekle",
    ),
    (Verify, "doğrula, doğrulamak, doğrulayın, kontrol et, kontrol edin, kontrol edeyim, kontrol ediyorum, doğrulayacağım"),
    (
        Goal,
        "başarı kriteri, başarı kriterleri, kabul kriteri, başarı ölçütü, başarı ölçütleri, kriter, kriterler, koşul, koşullar, ön koşul, \
         ön koşullar, birleştirme koşulu, kalanlar, kontrol listesi, gereksinim, hedef, amaç, yapılacaklar, kabul kriterleri, \
         sonraki adımlar, plan, gereksinimler, beklenen, örnek, kabul ölçütleri",
    ),
    (
        Says,
        "söylüyor, söyledi, söyledin, söylemiştin, diyor, dedi, dedin, yazıyor, iddia ediyor, belirtiyor, belirtti, belirtiliyor, \
         bahsediyor",
    ),
    (Per, "göre"),
    (Past, "önce, önceden, eskiden, daha önce, dün, başlangıçta, başta, geçen hafta, o zaman"),
    (Now, "şimdi, şu an, şu anda, artık tümü, bugün"),
    (
        Role::Trial,
        "değişikliğim olmadan, değişikliklerim olmadan, değişiklik olmadan, benim değişikliğim olmadan, yamam olmadan, geri alınca, \
         geri aldığımda, geri alındığında, geri alınmış, git stash, bisect, önceki commit, önceki commit'te, bir önceki commit'te, \
         tek başına, tek tek, yalıtılmış, ayrı ayrı, eski sürüm, eski sürümle, eski sürümde",
    ),
    (
        Elsewhere,
        "main, master, develop, dalında, dalı, dalda, branch'inde, elle, manuel, tarayıcıda, üretimde, sende, sunucuda, uzak, ci'da, \
         ci'de, pr'da, staging",
    ),
    (
        Fail,
        "başarısız, başarısızdı, geçmiyor, geçmedi, kaldı, bozuk, kırmızı, patladı, patlıyor, çöküyor, hatalı, başarısız oluyor, \
         başarısız oldu, geçemedi, geçemiyor",
    ),
    (
        Undone,
        "atlandı, atlanıyor, atlandılar, doğrulanmadı, çalıştırılmadı, çalıştırılamadı, çalıştıramadım, çalıştırmadım, çöktü, engellendi, \
         bloke, belirsiz, doğrulamadım, doğrulayamadım, test edilmedi, zaman aşımı, yarıda kaldı, kontrol etmedim, çalışıyor, denenmedi, \
         sonuçsuz",
    ),
    (Run, "çalıştırmak, çalıştırıp"),
    (Old, "önceden var olan, mevcut olan, kararsız, ilgisiz, bilinen, eskiden kalma"),
    (Expected, "beklendiği gibi, beklenildiği gibi, umulduğu gibi"),
    (Fixed, "düzelttim, düzeltildi, düzeltir, giderdim, giderildi, çözüldü, çözdüm, kaldırdım"),
    (Except, "dışında, hariç, haricinde"),
    (But, "ama, ancak, fakat, yine de, oysa, rağmen, lakin"),
    (And, "ve, veya, ya da, ile, hem"),
    (Since, "çünkü, olduğundan, olduğu için, olmadığı için"),
    (At, "üzerinde, altında, içinde"),
    (Number(2), "iki"),
    (Number(3), "üç"),
    (Number(4), "dört"),
    (Number(5), "beş"),
];
